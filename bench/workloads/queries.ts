/** The ten properties that W2 and W5 select. */
export const summaryProperties = [
  'ListingKey',
  'StandardStatus',
  'ListPrice',
  'City',
  'PostalCode',
  'PropertyType',
  'BedroomsTotal',
  'BathroomsTotalInteger',
  'LivingArea',
  'ModificationTimestamp',
] as const;

/** Query options as a client sends them; only the values are encoded. */
export function queryOptions(options: { readonly [name: string]: string | number | boolean }): string {
  return Object.entries(options)
    .map(([name, value]) => `$${name}=${encodeURIComponent(value)}`)
    .join('&');
}
