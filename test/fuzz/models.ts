import { rmSync } from 'node:fs';
import { container as listing } from '../../generated/index.js';
import { Refusal } from '../../runtime/edm/index.js';
import { type EntityContainer } from '../../runtime/edm/entity-container.js';
import { type OperationHandlers } from '../../runtime/edm/handler.js';
import { errors } from '../../runtime/errors/catalogue.js';
import { extensions } from '../../runtime/extensions/listing/listing.js';
import { servedDocument } from '../../runtime/http/document.js';
import type { Service } from '../../runtime/http/service.js';
import { createTokenSeal } from '../../runtime/paging/skiptoken.js';
import { withoutEnd } from '../../runtime/sql/statement.js';
import { listingSubject } from '../permission/listing.js';
import { subjectOf, type Subject } from '../support/requests/subject.js';
import { compileModel, temporaryFolder } from '../toy/toy-service.js';
import { listingCorpus, readCorpus, type Corpus } from './corpus.js';

/** A model for inputs: their vocabulary, and the service that answers them. */
export interface FuzzModel {
  readonly subject: Subject;
  readonly corpus: Corpus;
  readonly service: Service;
}

// Features that the listing model lacks: streams, complex and open types, deep updates, containment, singletons,
// operations, row rules.
const others: readonly (readonly [model: string, exchanges: readonly string[]])[] = [
  ['test/toy/album.xml', ['test/toy/album.http']],
  ['test/toy/complex.xml', ['test/toy/complex.http', 'test/toy/complex-writes.http']],
  ['test/toy/deep.xml', ['test/toy/deep.http', 'test/toy/delta.http']],
  ['test/toy/depot.xml', ['test/toy/depot.http', 'test/toy/contained-deep.http']],
  ['test/toy/open.xml', ['test/toy/open.http']],
  ['test/toy/rows.xml', ['test/toy/rows.http']],
  ['test/operations/kiosk.xml', ['test/operations/kiosk.http']],
];

/** The listing model and the others, which are generated and compiled first. */
export async function loadModels(): Promise<readonly [FuzzModel, ...FuzzModel[]]> {
  const models: [FuzzModel, ...FuzzModel[]] = [
    { subject: listingSubject, corpus: listingCorpus(), service: { ...serviceOf(listing), extensions } },
  ];
  for (const [model, exchanges] of others) {
    const folder = temporaryFolder();
    const { container } = await compileModel(model, folder);
    rmSync(folder, { recursive: true });
    models.push({ subject: subjectOf(container), corpus: readCorpus(exchanges), service: serviceOf(container) });
  }
  return models;
}

// Reads find nothing; writes come as far as the database, which is away. Handlers are called, and refuse.
function serviceOf(container: EntityContainer): Service {
  return {
    container,
    extensions: {},
    operations: refusing(container),
    store: {
      read: (work) => work(withoutEnd({ run: async () => [], each: async () => undefined })),
      transaction: async () => {
        throw errors.databaseUnavailable();
      },
    },
    metadata: { xml: servedDocument('<x/>'), json: servedDocument('{}'), vocabularies: new Map() },
    root: 'http://localhost/odata',
    settings: { overTop: 'reject' },
    seal: createTokenSeal('a secret of the fuzzer, which protects nothing'),
    authenticate: async () => ({
      subject: 'fuzz',
      member: 'anna',
      scopes: new Set(['listing.read.all', 'listing.write', 'worker', 'toy', 'kiosk.all']),
    }),
    publicMetadata: false,
    maxStream: 1_000_000,
    readerTimeout: 1_000,
    logFailure: () => undefined,
  };
}

function refuse(): never {
  throw new Refusal('The fuzzer has no answer.');
}

function refusing({ operations = {} }: EntityContainer): OperationHandlers {
  return Object.fromEntries(
    Object.values(operations)
      .flat()
      .map(({ handler }) => [handler, refuse]),
  );
}
