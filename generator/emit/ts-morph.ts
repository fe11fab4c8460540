import { createRequire } from 'node:module';
import type * as tsMorph from 'ts-morph';

export type * from 'ts-morph';
export type { ts as compiler } from 'ts-morph';
/** A set of source files in memory. */
export type Project = tsMorph.Project;

// Loaded when it is first used, which takes 0.7 s: reading and checking a model need none of it. `import` would also search
// the nine megabytes of TypeScript in it for exported names.
let loaded: typeof tsMorph | undefined;

function load(): typeof tsMorph {
  return (loaded ??= createRequire(import.meta.url)('ts-morph') as typeof tsMorph);
}

/** A member of ts-morph, which is loaded when a property of it is read or it is constructed. */
function member<Name extends keyof typeof tsMorph>(name: Name): (typeof tsMorph)[Name] {
  const target = (): object => load()[name] as object;
  return new Proxy(Object, {
    get: (_, property) => Reflect.get(target(), property) as unknown,
    construct: (_, args) => Reflect.construct(target() as new () => object, args) as object,
  }) as unknown as (typeof tsMorph)[Name];
}

/** The indentation of printed code. */
export const IndentationText = member('IndentationText');
/** A set of source files in memory. */
export const Project = member('Project');
/** The quotes of printed code. */
export const QuoteKind = member('QuoteKind');
/** The kinds of statements and their parts. */
export const StructureKind = member('StructureKind');
/** `const` and its relatives. */
export const VariableDeclarationKind = member('VariableDeclarationKind');
/** TypeScript's compiler. */
export const ts = member('ts');
