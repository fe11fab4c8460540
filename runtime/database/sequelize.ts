/** What generated code of other projects takes from Sequelize: the one that this package runs with. */
export { DataTypes } from 'sequelize';
export type { Model, ModelStatic, Sequelize } from 'sequelize';
