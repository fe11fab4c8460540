/** The parts of Sequelize that generated code of projects imports: the instance that this package runs with. */
export { DataTypes } from 'sequelize';
export type { Model, ModelStatic, Sequelize } from 'sequelize';
