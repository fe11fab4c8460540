import type { Csdl, StructuredType } from '../../csdl/csdl.js';
import { faults, type Report } from '../../faults.js';
import { lineOf, namesOf, type Names } from '../../repair/names.js';

/** The model without properties that redefine an inherited one (CSDL XML 4.01, 7 and 8), each of which is reported. */
export function omitRedefined(csdl: Csdl, report: Report): Csdl {
  const names = namesOf(csdl, []);
  const schemas = csdl.schemas.map((schema) => ({
    ...schema,
    elements: schema.elements.map((element) =>
      element.kind === 'EntityType' || element.kind === 'ComplexType' ? omitFrom(element, names, report) : element,
    ),
  }));
  return { ...csdl, schemas };
}

function omitFrom<Type extends StructuredType>(type: Type, names: Names, report: Report): Type {
  const inherited = new Set(
    lineOf(type, names)
      .slice(1)
      .flatMap(({ properties }) => properties.map(({ name }) => name)),
  );
  const redefined = type.properties.filter(({ name }) => inherited.has(name));
  for (const { at, name } of redefined) report(faults.redefined(at, `${type.name}/${name}`));
  return redefined.length === 0 ? type : { ...type, properties: type.properties.filter((property) => !redefined.includes(property)) };
}
