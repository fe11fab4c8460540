import type { Sequelize } from 'sequelize';
import type { EntityContainer, Extensions, OperationHandlers } from './edm/index.js';

/** A model as it is served: what was generated from it, and what was written by hand beside that. */
export interface ServedModel {
  readonly container: EntityContainer;
  readonly defineModels: (sequelize: Sequelize) => unknown;
  readonly extensions: Extensions;
  /** The handlers of its operations; one that is missing answers 501. */
  readonly operations?: OperationHandlers;
  /** The folder of the generated documents, `$metadata` and the migrations among them. */
  readonly generated: string;
}
