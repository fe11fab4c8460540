import { existsSync, readFileSync } from 'node:fs';
import test from 'ava';
import { checkConfig, policyOf } from '../../generator/config/config.js';
import { generate } from '../../generator/generate.js';
import { ModelError, type Diagnostic } from '../../generator/model-error.js';
import type { Sources } from '../../generator/sources.js';

// Every name, path and value of these documents is misspelt, one at a time, and reported once: at its position, without
// consequences.
const folder = new URL('../../../test/', import.meta.url);
const documents = ['aliases', 'begin', 'house', 'operations', 'seats', 'pairs'].map((name) => `toy/${name}.xml`);

/** Attributes that are right whatever they say, or that say nothing to the service. */
const free =
  /^(?:.*@(?:Name|Alias|Namespace|Uri|Version|String|Qualifier|TargetNamespace|DefaultValue|Function)|(?!NavigationPropertyBinding).*@Path|Term@.*|Cast@Type|Action@EntitySetPath)$/;

/**
 * Two facts, each of which is reported: a rule for a scope is left without the permission, or the scope, that was misspelt; a type may
 * need a key without the singleton; and an attribute that is not valid is left out, so that lenient mode goes on to a key that
 * may be null, as may what says where a required property leads, a binding through what contains nothing, and default values of what is no set of flags.
 */
const several: readonly RegExp[] = [
  /^CSDL036 CSDL096$/,
  /^CSDL037 CSDL096$/,
  /^CSDL015 CSDL087$/,
  /^CSDL010 CSDL017$/,
  /^CSDL010 CSDL023$/,
  /^CSDL010 CSDL136$/,
  /^CSDL010( CSDL033)+$/,
];

for (const document of documents) {
  test(`${document}: what is misspelt is told once`, (t) => {
    const text = readFileSync(new URL(document, folder), 'utf8');
    const before = new Set(linesOf(document, text));
    const misspelt = misspeltIn(text);
    t.true(misspelt.length > 10);
    const wrong = misspelt.flatMap(({ place, changed }) => {
      const told = [...new Set(linesOf(document, changed).filter((line) => !before.has(line)))];
      const codes = told
        .map((line) => line.slice(0, 'CSDL000'.length))
        .sort()
        .join(' ');
      return told.length === 1 || several.some((one) => one.test(codes)) ? [] : [`${place}: ${told.join(' | ')}`];
    });
    t.deepEqual(wrong, []);
  });
}

function misspeltIn(text: string): readonly { readonly place: string; readonly changed: string }[] {
  return [...text.matchAll(/<[\w:]+[^<>]*>/g)].flatMap(({ 0: tag, index }) => {
    const [, element = ''] = /^<([\w:]+)/.exec(tag) ?? [];
    const end = text.indexOf('>', index);
    return [...text.slice(index, end).matchAll(/ ([A-Z]\w*)="([^"]*)"/g)].flatMap(({ 0: written, 1: name = '', index: at }) => {
      if (free.test(`${element}@${name}`)) return [];
      const stop = index + at + written.length - 1;
      return [
        {
          place: `${element}@${name} in line ${text.slice(0, stop).split('\n').length}`,
          changed: `${text.slice(0, stop)}x${text.slice(stop)}`,
        },
      ];
    });
  });
}

// By code and line, since columns move and a list of names may become a shorter one.
function linesOf(document: string, text: string): readonly string[] {
  const { sources, diagnostics } = outcomeOf(document, text);
  return diagnostics.map(({ code, at }) => `${code} ${sources.locate(at).line}`);
}

function outcomeOf(document: string, text: string): { readonly sources: Sources; readonly diagnostics: readonly Diagnostic[] } {
  const readBeside = (file: string): Uint8Array | undefined => {
    const place = new URL(file, new URL(document, folder));
    return existsSync(place) ? readFileSync(place) : undefined;
  };
  try {
    return generate(
      { path: document, bytes: Buffer.from(text) },
      { readNeighbour: readBeside, policy: policyOf(checkConfig({}, 'gable.config.json'), undefined) },
    );
  } catch (error) {
    if (error instanceof ModelError) return error;
    throw error;
  }
}
