import test from 'ava';
import { pathOfUrl } from '../../runtime/protocol/own-address.js';

const address = { root: 'http://localhost:4004/odata', host: 'Api.Example.com' };

// oxfmt-ignore
/** URLs, each with its path below the root. */
const cases: { readonly [url: string]: string | undefined } = {
  'http://localhost:4004/odata/Orders(1)': '/Orders(1)',
  'https://localhost:4004/odata/Orders(1)': '/Orders(1)',
  'http://api.example.com/odata/Orders(1)': '/Orders(1)',
  'HTTPS://API.example.com/odata/Orders(1)': '/Orders(1)',
  '//api.example.com/odata/Orders(1)': '/Orders(1)',
  '/odata/Orders(1)': '/Orders(1)',
  '/odata': '',
  'http://localhost/odata/Orders(1)': undefined,
  'http://api.example.com.evil.org/odata/Orders(1)': undefined,
  'http://api.example.com@evil.org/odata/Orders(1)': undefined,
  'http://me@api.example.com/odata/Orders(1)': undefined,
  'ftp://api.example.com/odata/Orders(1)': undefined,
  'http://api.example.com/odata2/Orders(1)': undefined,
  '/Orders(1)': undefined,
};

for (const [url, path] of Object.entries(cases)) {
  test(`${url} is ${path === undefined ? 'no address of the service' : `at '${path}'`}`, (t) => t.is(pathOfUrl(url, address), path));
}
