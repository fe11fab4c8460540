import type { CopyHandler } from '../../generated/operation-types.js';

export const copy: CopyHandler = async ({ item, template }, { records }) => {
  if (template === null) return null;
  const { '@id': _, Shelf: __, ...values } = template;
  await records.create('Items', { ...values, Id: item.Id + 100, Name: values.Name ?? item.Name });
  return { from: 'Items', key: item.Id + 100 };
};
