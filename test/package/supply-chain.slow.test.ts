import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'ava';

interface Locked {
  readonly version: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: true;
  readonly dev?: true;
}

interface Lock {
  readonly packages: { readonly [path: string]: Locked };
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
  'dependencies' | 'devDependencies' | 'optionalDependencies',
  Record<string, string>
> & { readonly allowScripts: Record<string, boolean> };
const locked = Object.entries(packages)
  .filter(([path]) => path !== '')
  .map(([path, entry]) => ({ path, name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length), ...entry }));

/** The first version without a hole that is known; needs no network, so that the gate holds everywhere. */
const leastVersions: { readonly [name: string]: string } = {
  express: '5.3.0',
  'body-parser': '2.3.0',
  qs: '6.14.2',
  'path-to-regexp': '8.4.2',
  pool: '6.37.8', // CVE-2026-30951
  pg: '8.23.1',
  'fast-xml-parser': '5.7.0', // CVE-2026-33349
  handlebars: '4.7.9', // CVE-2026-33937
  jose: '6.0.0',
  validator: '13.15.22', // CVE-2025-12758
  lodash: '4.17.21', // CVE-2021-23337
  minimist: '1.2.6', // CVE-2021-44906
  moment: '2.29.4', // CVE-2022-31129
  semver: '7.5.2', // CVE-2022-25883
  send: '1.1.0', // CVE-2024-43799
  'serve-static': '2.1.0', // CVE-2024-43800
  tar: '6.2.1', // CVE-2024-28863
};

test('no package is older than its first version without a known hole', (t) => {
  const old = locked.filter(({ name, version }) => isOlder(version, Object.hasOwn(leastVersions, name) ? leastVersions[name] : undefined));
  t.deepEqual(
    old.map(({ path, version }) => `${path} ${version}`),
    [],
  );
  t.deepEqual(
    ['2.0.0', '1.9.10', '1.10.0-rc.1', '1.10.0'].map((version) => isOlder(version, '1.10.0')),
    [false, true, true, false],
  );
});

/** Licences that ask for nothing but to be named. */
const licences: ReadonlySet<string | undefined> = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  '(MIT OR CC0-1.0)',
  'CC0-1.0',
  'PostgreSQL',
  'Unlicense',
]);

test('every licence is one of those that we may pass on', (t) => {
  t.deepEqual(
    locked.filter(({ license }) => !licences.has(license)).map(({ path, license }) => `${path} ${license}`),
    [],
  );
});

test('every package has its hash, and comes from the registry', (t) => {
  t.deepEqual(
    locked.filter(({ integrity }) => !integrity?.startsWith('sha512-')).map(({ path }) => path),
    [],
  );
  t.deepEqual(
    locked.filter(({ resolved }) => resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/')).map(({ path }) => path),
    [],
  );
});

test('no script of a package is run at its installation', (t) => {
  const scripted = locked.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
  t.deepEqual(
    scripted.filter((name) => manifest.allowScripts[name] !== false),
    [],
  );
});

test('every dependency is asked for by its exact version', (t) => {
  const asked = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies });
  t.deepEqual(
    asked.filter(([, version]) => !/^(npm:[\w-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
    [],
  );
});

test('the bill of materials names what production runs, with versions and hashes', (t) => {
  const bill = JSON.parse(execFileSync('npm', ['run', '--silent', 'sbom'], { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 })) as {
    readonly bomFormat: string;
    readonly components: readonly { readonly name: string; readonly version: string }[];
  };
  t.is(bill.bomFormat, 'CycloneDX');
  const named = new Map(bill.components.map(({ name, version }) => [name, version]));
  for (const [name, version] of Object.entries(manifest.dependencies)) t.is(named.get(name), version);
  t.false(named.has('ava'));
});

function isOlder(version: string, least: string | undefined): boolean {
  if (least === undefined) return false;
  const [numbers = '', tag] = version.split('-');
  const parts = numbers.split('.').map(Number);
  const wanted = least.split('.').map(Number);
  const differing = wanted.findIndex((part, index) => part !== parts[index]);
  return differing < 0 ? tag !== undefined : (parts[differing] ?? 0) < (wanted[differing] ?? 0);
}
