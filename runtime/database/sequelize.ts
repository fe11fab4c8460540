import type { Model, ModelStatic } from 'sequelize';

// The parts of Sequelize that code of projects imports: the instance that this package runs with.
export { DataTypes, Op } from 'sequelize';
export type { Sequelize } from 'sequelize';

/** The Sequelize model of a table, whose instances have the row's columns as members. */
export type TableModel<Row extends object> = ModelStatic<TableRow<Row>>;

/** An instance of a table's model. */
export type TableRow<Row extends object> = Model<Row, Partial<Row>> & Row;
