import { displayName } from '../../errors/suggest.js';

// prettier-ignore
const firstNames = ['Ada', 'Boris', 'Chiara', 'David', 'Elena', 'Farid', 'Grace', 'Hugo', 'Ines', 'Jonas', 'Kaya', 'Liam', 'Mina', 'Noah', 'Olga', 'Pablo', 'Quinn', 'Rosa', 'Samir', 'Tara'];
// prettier-ignore
const lastNames = ['Adams', 'Brown', 'Costa', 'Diaz', 'Evans', 'Fischer', 'Garcia', 'Haddad', 'Ivanova', 'Jensen', 'Kim', 'Lopez', 'Meyer', 'Nguyen', 'Okafor', 'Patel', 'Rossi', 'Silva', 'Tanaka'];
const cities = ['Berlin', 'Boston', 'Cairo', 'Dublin', 'Lagos', 'Lima', 'Madrid', 'Osaka', 'Oslo', 'Porto', 'Quito', 'Toronto'];
const countries = [
  'Germany',
  'United States',
  'Egypt',
  'Ireland',
  'Nigeria',
  'Peru',
  'Spain',
  'Japan',
  'Norway',
  'Portugal',
  'Ecuador',
  'Canada',
];
const countryCodes = ['DE', 'US', 'EG', 'IE', 'NG', 'PE', 'ES', 'JP', 'NO', 'PT', 'EC', 'CA'];
const regions = ['BE', 'MA', 'C', 'D', 'LA', 'LIM', 'MD', 'OSA', 'OSL', 'POR', 'PIC', 'ON'];
// prettier-ignore
const remarks = ['Ready at once.', 'Ask for the details.', 'Nothing to add.', 'As agreed by phone.', 'New this season.', 'Close to the station.'];
const currencies = ['EUR', 'USD', 'JPY', 'GBP', 'CAD'];
const streets = ['Oak Street', 'Main Street', 'Station Road', 'Park Avenue', 'Mill Lane'];
const trades = ['Trading', 'Logistics', 'Foods', 'Systems', 'Partners'];
const jobs = ['Manager', 'Engineer', 'Analyst', 'Designer', 'Assistant'];

/** A text of the sample with an index, from 0. */
type Text = (index: number) => string;

const first: Text = (index) => at(firstNames, index);
const last: Text = (index) => at(lastNames, index);

// prettier-ignore
/** Texts by the words of a property's name; the first row that matches counts. */
const rows: readonly (readonly [words: RegExp, text: Text])[] = [
  [/\be ?mails?(?: address(?:es)?)?$/, (index) => `${first(index)}.${last(index)}${turn(index)}@example.com`.toLowerCase()],
  [/\b(?:phone|telephone|mobile|fax)(?: number)?$/, (index) => `+1 555 ${String(index + 100).padStart(7, '0')}`],
  [/\b(?:first|given) name$/, first],
  [/\b(?:last|family) name$|\bsurname$/, last],
  [/\b(?:full|contact|customer|author|agent|person|member|employee|reader|user) name$/, (index) => `${first(index)} ${last(index)}${turn(index)}`],
  [/\b(?:company|organization|supplier|vendor) name$|^company$/, (index) => `${last(index)} ${at(trades, index)}${turn(index, lastNames.length * trades.length)}`],
  [/\b(?:city|town)(?: name)?$/, (index) => at(cities, index)],
  [/\bcountry(?: name| or region| region)?$/, (index) => at(countries, index)],
  [/\b(?:state or province|state code|province|region)$/, (index) => at(regions, index)],
  [/\bcountry(?: or region)? code$/, (index) => at(countryCodes, index)],
  [/\b(?:postal|zip) ?code$|\bpost ?code$|\bzip$/, (index) => String(10_001 + index)],
  [/\bstreet(?: name| address)?$|^address(?: line)?(?: 1)?$/, (index) => `${index + 1} ${at(streets, index)}`],
  [/\bcurrency(?: code)?$/, (index) => at(currencies, index)],
  [/\b(?:url|website|web site|home ?page|web page)$/, (index) => `https://example.com/${index + 1}`],
  [/\bunparsed address$/, (index) => `${index + 1} ${at(streets, index)}, ${at(cities, index)}`],
  [/\bstreet number$/, (index) => String(index + 1)],
  [/\btitle of courtesy$|\bsalutation$/, (index) => at(['Ms.', 'Mr.'], index)],
  [/\b(?:remarks|notes|comments)$/, (index) => at(remarks, index)],
  [/\b(?:job|contact) title$/, (index) => at(jobs, index)],
];

/** A plausible text for a property by its name, such as a name, a mail address or a city; undefined for other names. */
export function plausibleText(name: string, index: number): string | undefined {
  const words = wordsOf(name);
  return rows.find(([pattern]) => pattern.test(words))?.[1](index);
}

/** The words of a name, in lower case, whatever its spelling. */
export function wordsOf(name: string): string {
  return displayName(name.replaceAll(/[_\W]+/g, ' ').replaceAll(/(?<=[a-z])(?=\d)/gi, ' ')).trim();
}

function at(texts: readonly string[], index: number): string {
  return texts[index % texts.length] ?? '';
}

// The sizes of the lists have no common divisor, so that pairs of their items repeat after the product.
function turn(index: number, period = firstNames.length * lastNames.length): string {
  const turns = Math.floor(index / period);
  return turns === 0 ? '' : String(turns + 1);
}
