// oxfmt-ignore
/** Members of a Sequelize instance, which attributes must not replace: a property with such a name gets the suffix `_`. */
export const instanceMembers = [
  '__defineGetter__', '__defineSetter__', '__lookupGetter__', '__lookupSetter__', '__proto__', '_initValues', '_setInclude',
  '_setupHooks', 'addHook', 'changed', 'constructor', 'decrement', 'destroy', 'equals', 'equalsOneOf', 'get', 'getDataValue',
  'hasHook', 'hasHooks', 'hasOwnProperty', 'increment', 'isPrototypeOf', 'isSoftDeleted', 'previous', 'propertyIsEnumerable',
  'reload', 'removeHook', 'restore', 'runHooks', 'save', 'sequelize', 'set', 'setAttributes', 'setDataValue', 'setValidators',
  'toJSON', 'toLocaleString', 'toString', 'update', 'validate', 'valueOf', 'where', 'dataValues', '_previousDataValues', 'uniqno',
  'isNewRecord', '_changed', '_options', '_customGetters', '_customSetters', '_hasCustomGetters', '_hasCustomSetters',
  '_isAttribute', 'rawAttributes', 'validators', '_schema', '_schemaDelimiter', 'then',
] as const;
