import type { ShipHandler } from '../../generated/operation-types.js';

export const ship: ShipHandler = ({ label, stops }) => ({
  values: [
    ...stops.map((stop) => ({
      ...stop,
      City: `${stop.City ?? 'somewhere'} (${label.Text ?? ''}${label.Item ? ` of ${label.Item.Name ?? label.Item['@id'] ?? ''}` : ''})`,
    })),
    { '@odata.type': '#Kiosk.Depot', City: 'Last', Places: 3 },
  ],
});
