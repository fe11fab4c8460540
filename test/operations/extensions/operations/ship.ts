import type { ShipHandler } from '../../generated/operation-types.js';

export const ship: ShipHandler = ({ label, stops }) => ({
  values: [
    ...stops.map((stop) => ({ ...stop, City: `${stop.City ?? 'somewhere'} (${label.Text ?? ''})` })),
    { '@odata.type': '#Kiosk.Depot', 'City': 'Last', 'Places': 3 },
  ],
});
