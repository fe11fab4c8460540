import { container } from '../../generated/index.js';
import { subjectOf, type Subject } from '../support/requests/subject.js';
import { restrictedOf } from './restricted.js';

const sets = Object.values(container.entityTypes).filter(({ entitySet }) => entitySet !== undefined);

/** The listing model with the fixture's records; types with restricted properties are asked about most. */
export const listingSubject: Subject = subjectOf(container, {
  types: sets.flatMap((type) => (restrictedOf(type.name).length > 0 ? [type, type, type, type] : [type])),
  restricted: ({ name }) => restrictedOf(name),
  keys: {
    Property: ["'3'", "'6'", "'Draft2'", "'99'"],
    Member: ["'M1'", "'M2'", "'M3'"],
    Office: ["'O1'", "'O2'"],
    Media: ["'P1'", "'P4'"],
    PropertyRooms: ["'R1'", "'R3'"],
    HistoryTransactional: ["'1'", "'2'", "'3'"],
  },
  literals: {
    'Edm.String': ["'King'", "'buyer paid cash'", "'anna@example.org'", "''", "'400000.00'", "'M1'", "'Ottawa'"],
    'Edm.Decimal': ['390000', '0', '1e6', '500000'],
    'Edm.Int32': ['0', '2', '2025'],
    'Edm.Int64': ['0', '300'],
  },
  words: ['cash', 'king', 'seller', 'buyer', 'in'],
});
