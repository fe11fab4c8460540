import type { EntityView } from '../emit/emit-reference.js';
import { grouped } from '../../runtime/edm/grouped.js';
import type { Arrow, Box, Diagram } from './diagram.js';

/** The page of a target, if it has one. */
type HrefOf = (target: string) => string | undefined;

const mostLines = 4;

/** The navigation properties of a type, an arrow for each target; undefined without any. */
export function navigationDiagram({ set, name, navigation }: EntityView, hrefOf: HrefOf): Diagram | undefined {
  if (navigation.length === 0) return undefined;
  const targets = [...grouped(navigation, ({ target }) => target)];
  const boxes: readonly Box[] = targets.map(([target]) => ({
    id: `to ${target}`,
    text: target.replace('@', ' in '),
    href: hrefOf(target),
  }));
  const arrows = targets.map(([target, all]): Arrow => ({ from: 'self', to: `to ${target}`, label: labelOf(all) }));
  const subject = { id: 'self', text: name, main: true };
  return {
    name: 'relations',
    title: `Navigation properties of ${set}, as listed in the table below`,
    direction: 'LR',
    boxes: [subject, ...boxes],
    arrows,
  };
}

// A star marks collections.
function labelOf(navigation: readonly EntityView['navigation'][number][]): readonly string[] {
  const texts = navigation.map(({ name, collection }) => (collection ? `${name} *` : name));
  return texts.length <= mostLines ? texts : [...texts.slice(0, mostLines - 1), `and ${texts.length - mostLines + 1} more`];
}

/** The states of a type, of which the diagram stresses `initial`. */
interface LifeCycle extends Pick<EntityView, 'state' | 'initial'> {
  readonly moves: readonly Pick<EntityView['moves'][number], 'from' | 'to'>[];
}

/** The states of a type and its moves; undefined for a type without a life cycle. */
export function stateDiagram({ state, initial, moves }: LifeCycle): Diagram | undefined {
  if (state === undefined || moves.length === 0) return undefined;
  const names = [...new Set([initial ?? '', ...moves.flatMap(({ from, to }) => [from, to])])].filter((name) => name !== '');
  const has = (from: string, to: string): boolean => moves.some((move) => move.from === from && move.to === to);
  const arrows = moves
    .filter(({ from, to }) => !has(to, from) || names.indexOf(from) < names.indexOf(to))
    .map(({ from, to }): Arrow => ({ from, to, both: has(to, from) }));
  const boxes = names.map((name): Box => ({ id: name, text: name, main: name === initial }));
  return {
    name: 'moves',
    title: `States of ${state} and the moves between them, as listed in the table below`,
    direction: 'TB',
    boxes,
    arrows,
  };
}

/** The sets that have relations; undefined for a model with too many of them, or none. */
export function modelDiagram(entities: readonly EntityView[], hrefOf: HrefOf): Diagram | undefined {
  if (entities.length < 2 || entities.length > 16) return undefined;
  const known = new Map(entities.map((entity) => [entity.target, entity]));
  const pairs = new Map<string, Arrow>();
  for (const { target: from, navigation } of entities)
    for (const { target: to } of navigation) {
      if (!known.has(to) || from === to) continue;
      const back = pairs.get(`${to}\0${from}`);
      if (back === undefined) pairs.set(`${from}\0${to}`, { from, to });
      else pairs.set(`${to}\0${from}`, { ...back, both: true });
    }
  if (pairs.size === 0) return undefined;
  const related = new Set([...pairs.values()].flatMap(({ from, to }) => [from, to]));
  const boxes = entities
    .filter(({ target }) => related.has(target))
    .map(({ target, set }): Box => ({ id: target, text: set, href: hrefOf(target) }));
  return { name: 'sets', title: 'The sets of the model and their relations', direction: 'LR', boxes, arrows: [...pairs.values()] };
}
