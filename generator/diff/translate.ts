import { isList, withoutSignature, type Element, type Fact } from './element.js';
import type { Matching } from './match.js';
import type { Surface } from './surface.js';
import { identifierPart, identifierStart } from '../../runtime/edm/identifier.js';

/**
 * Translates a fact of the old model into the names of the new one, so that a rename is one change and not one for each
 * use.
 */
export type Translate = (fact: Fact, element: Element, name: string) => Fact;

/** The translation of renamed elements' names in facts of the old model. */
export function translatorOf({ pairs }: Matching, old: Surface): Translate {
  const renamed = pairs.filter(({ before, after }) => before.path !== after.path);
  if (renamed.length === 0) return (fact) => fact;
  const types = new Map(
    renamed
      .filter(({ before }) => before.parent === undefined)
      .map(({ before, after }) => [withoutSignature(before.path), withoutSignature(after.path)]),
  );
  const members = new Map(
    renamed
      .filter(({ before, after }) => before.parent !== undefined && before.name !== after.name)
      .map(({ before, after }) => [before.path, after.name]),
  );
  const pathFrom =
    (owner: string) =>
    (path: string): string => {
      let reached = owner;
      return path
        .split('/')
        .map((step) => {
          const called = types.get(step) ?? members.get(`${reached}/${step}`) ?? step;
          reached = step.includes('.') ? step : typeOfElement(old.get(`${reached}/${step}`));
          return called;
        })
        .join('/');
    };
  const translated = (text: string, owner: string): string => text.replace(paths, pathFrom(owner));
  return (fact, element, name) => {
    const owner = ownerOfNames(element, name);
    // The name after the equals sign is a property of the target.
    if (typeof fact === 'string')
      return name === 'constraint'
        ? fact
            .split(/(?<= = )|(?=, )/)
            .map((side, index) => translated(side, index % 2 === 0 ? owner : typeOfElement(element)))
            .join('')
        : translated(fact, owner);
    return isList(fact) ? fact.map((item) => translated(item, owner)) : fact;
  };
}

const word = `[${identifierStart}][${identifierPart}.]*`;
const paths = new RegExp(`${word}(?:/${word})*`, 'gu');

function typeOfElement(element: Element | undefined): string {
  return String(element?.facts['type'] ?? element?.facts['target'] ?? '');
}

// The type whose properties a fact names: the type of a set, or the type that has the partner.
function ownerOfNames({ kind, facts, parent, path }: Element, name: string): string {
  const type = name === 'partner' ? facts['target'] : kind === 'EntitySet' || kind === 'Singleton' ? facts['type'] : undefined;
  return typeof type === 'string' ? type : (parent ?? path);
}
