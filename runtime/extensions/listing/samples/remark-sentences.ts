/** Openings of a public description; `{city}`, `{area}`, `{kind}`, `{beds}` and `{year}` are filled in. */
export const openings: readonly string[] = [
  'Welcome to this well-kept {kind} in the heart of {area}.',
  "Rarely offered: a bright {kind} on one of {area}'s quietest streets.",
  "First time on the market in 30 years! Don't miss this {kind} in {city}.",
  'Location, location, location. This {kind} puts {area} at your doorstep.',
  'A real "turn-key" {kind}, minutes from everything {city} has to offer.',
];

/** Sentences for homes. */
export const homeSentences: readonly string[] = [
  'The kitchen was redone with quartz counters, a gas range & plenty of storage.',
  'Large windows bring the light in all day.',
  'The primary bedroom has an ensuite and a walk-in closet.',
  'Newer furnace, newer roof, updated wiring (all with permits).',
  'Walk to schools, parks, cafés and transit.',
  'The yard is fully fenced – bring the dog.',
  'Low utility costs; 200-amp service; EV charger rough-in.',
  "Just steps from St. Mark's Square and the farmers' market.",
  "Original trim, 9' ceilings and hardwood throughout.",
  'The lower level has its own entrance and in-law potential.',
  'Garden lovers will be at home here 🌷.',
];

/** Sentences for land, farms and business property. */
export const otherSentences: readonly string[] = [
  'Zoning allows a wide range of uses; buyers to do their own due diligence.',
  'Services at the lot line.',
  'High traffic count and excellent exposure.',
  'Survey and environmental report (phase I) on file.',
  'Paved parking, loading at grade.',
  'Access from a year-round municipal road.',
];

/** Remarks among members. */
export const privateRemarks: readonly string[] = [
  'Offers any time, 24 h irrevocable. Attach Schedule B.',
  'Seller is related to the listing agent (RECO disclosure in documents).',
  "Tenant's lease ends with 60 days' notice; please do not speak to the tenant.",
  'Lockbox on the side gate.\nAlarm code from the listing office only.',
  'Offers reviewed on Tuesday at 19:00; no pre-emptive offers.',
];

/** Instructions for showings. */
export const showingInstructions: readonly string[] = [
  'Book through the showing service; 2 h notice.',
  'Call the listing office.',
  'Vacant: go and show, lockbox.',
  '24 h notice for tenants.',
  'By appointment only; cat must stay in.',
];

/** Driving directions. */
export const directions: readonly string[] = [
  'From {cross} go north, second left.',
  'Highway exit 12, right at the lights, follow {cross} to the end.',
  'Off {cross}, behind the school.',
  'South of {cross}; sign on the property.',
];
