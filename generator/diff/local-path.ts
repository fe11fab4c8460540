import type { Csdl } from '../csdl/csdl.js';

/** Names that several schemas of one model have, which are ambiguous without their namespace. */
export function sharedNames(models: readonly Csdl[]): ReadonlySet<string> {
  return new Set(
    models.flatMap(({ schemas }) => {
      const named = new Set(schemas.flatMap(({ namespace, elements }) => elements.map(({ name }) => `${namespace}/${name}`)));
      const names = [...named].map((one) => one.slice(one.indexOf('/') + 1));
      return names.filter((name, index) => names.indexOf(name) < index);
    }),
  );
}

/** The path without its namespace, unless that would be ambiguous. */
export function localPath(path: string, shared: ReadonlySet<string>): string {
  const [head = '', ...rest] = path.split('/');
  const bare = head.replace(/^[^(]*\.(?=[^.(]*(?:\(|$))/, '');
  return shared.has(bare.replace(/\(.*$/, '')) ? path : [bare, ...rest].join('/');
}
