import type { EntityType } from '../../runtime/edm/entity-type.js';
import { drawDiagram } from '../../generator/portal/diagram.js';
import { stateDiagram } from '../../generator/portal/model-diagrams.js';

interface Props {
  readonly property: string;
  readonly present: string;
  readonly moves: NonNullable<EntityType['transitions']>['moves'];
}

/** The states and the moves between them, as the documentation draws them, with the present state lit. */
export function Moves({ property, present, moves }: Props) {
  const pairs = Object.entries(moves).flatMap(([from, next]) => next.map(({ to }) => ({ from, to })));
  const diagram = stateDiagram({ state: property, initial: present, moves: pairs });
  // The drawing escapes the texts of the model.
  return diagram ? <div tabIndex={0} role="group" aria-label="Diagram" dangerouslySetInnerHTML={{ __html: drawDiagram(diagram) }} /> : null;
}
