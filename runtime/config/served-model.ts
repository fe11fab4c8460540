import type { Sequelize } from 'sequelize';
import type { EntityContainer } from '../edm/entity-container.js';
import type { Extensions } from '../edm/extension.js';
import type { OperationHandlers } from '../edm/handler.js';

/** A model to serve: generated code with hand-written extensions. */
export interface ServedModel {
  readonly container: EntityContainer;
  readonly defineModels: (sequelize: Sequelize) => unknown;
  readonly extensions: Extensions;
  /** The handlers of its operations; a missing one is answered 501. */
  readonly operations?: OperationHandlers;
  /** The folder of generated documents, including `$metadata` and migrations. */
  readonly generated: string;
}
