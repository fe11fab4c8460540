import type { Sequelize } from 'sequelize';
import type { EntityContainer, Extensions } from './edm/index.js';

/** A model as it is served: what was generated from it, and what was written by hand beside that. */
export interface ServedModel {
  readonly container: EntityContainer;
  readonly defineModels: (sequelize: Sequelize) => unknown;
  readonly extensions: Extensions;
  /** The folder of the generated documents, `$metadata` and the migrations among them. */
  readonly generated: string;
}
