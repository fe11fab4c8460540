import { displayName } from '../../errors/suggest.js';
import { type Field, isFloating } from '../../edm/index.js';

// oxfmt-ignore
const firstNames = ['Ada', 'Boris', 'Chiara', 'David', 'Elena', 'Farid', 'Grace', 'Hugo', 'Ines', 'Jonas', 'Kaya', 'Liam', 'Mina', 'Noah', 'Olga', 'Pablo', 'Quinn', 'Rosa', 'Samir', 'Tara'];
// oxfmt-ignore
const lastNames = ['Adams', 'Brown', 'Costa', 'Diaz', 'Evans', 'Fischer', 'Garcia', 'Haddad', 'Ivanova', 'Jensen', 'Kim', 'Lopez', 'Meyer', 'Nguyen', 'Okafor', 'Patel', 'Rossi', 'Silva', 'Tanaka'];
const cities = ['Berlin', 'Boston', 'Cairo', 'Dublin', 'Lagos', 'Lima', 'Madrid', 'Osaka', 'Oslo', 'Porto', 'Quito', 'Toronto'];
// oxfmt-ignore
const countries = [
  'Germany', 'United States', 'Egypt', 'Ireland', 'Nigeria', 'Peru', 'Spain', 'Japan', 'Norway', 'Portugal', 'Ecuador', 'Canada',
];
const countryCodes = ['DE', 'US', 'EG', 'IE', 'NG', 'PE', 'ES', 'JP', 'NO', 'PT', 'EC', 'CA'];
const regions = ['BE', 'MA', 'C', 'D', 'LA', 'LIM', 'MD', 'OSA', 'OSL', 'POR', 'PIC', 'ON'];
// oxfmt-ignore
const remarks = ['Ready at once.', 'Ask for the details.', 'Nothing to add.', 'As agreed by phone.', 'New this season.', 'Close to the station.'];
const currencies = ['EUR', 'USD', 'JPY', 'GBP', 'CAD'];
const streets = ['Oak Street', 'Main Street', 'Station Road', 'Park Avenue', 'Mill Lane'];
const trades = ['Trading', 'Logistics', 'Foods', 'Systems', 'Partners'];
const jobs = ['Manager', 'Engineer', 'Analyst', 'Designer', 'Assistant'];

/** A text of the sample with an index, from 0. */
type Text = (index: number) => string;

const first: Text = (index) => oneOf(firstNames, index);
const last: Text = (index) => oneOf(lastNames, index);

// oxfmt-ignore
/** Texts by the words of a property's name; the first row that matches counts. */
const rows: readonly (readonly [words: RegExp, text: Text])[] = [
  [/\be ?mails?(?: address(?:es)?)?$/, (index) => `${first(index)}.${last(index)}${turn(index)}@example.com`.toLowerCase()],
  [/\b(?:phone|telephone|mobile|fax)(?: number)?$/, (index) => `+1 555 ${String(index + 100).padStart(7, '0')}`],
  [/\b(?:first|given) name$/, first],
  [/\b(?:last|family) name$|\bsurname$/, last],
  [/\b(?:full|contact|customer|author|agent|person|member|employee|reader|user) name$/, (index) => `${first(index)} ${last(index)}${turn(index)}`],
  [/\b(?:company|organization|supplier|vendor) name$|^company$/, (index) => `${last(index)} ${oneOf(trades, index)}${turn(index, lastNames.length * trades.length)}`],
  [/\b(?:city|town)(?: name)?$/, (index) => oneOf(cities, index)],
  [/\bcountry(?: name| or region| region)?$/, (index) => oneOf(countries, index)],
  [/\b(?:state or province|state code|province|region)$/, (index) => oneOf(regions, index)],
  [/\bcountry(?: or region)? code$/, (index) => oneOf(countryCodes, index)],
  [/\b(?:postal|zip) ?code$|\bpost ?code$|\bzip$/, (index) => String(10_001 + index)],
  [/\bstreet(?: name| address)?$|^address(?: line)?(?: 1)?$/, (index) => `${index + 1} ${oneOf(streets, index)}`],
  [/\bcurrency(?: code)?$/, (index) => oneOf(currencies, index)],
  [/\b(?:url|website|web site|home ?page|web page)$/, (index) => `https://example.com/${index + 1}`],
  [/\bunparsed address$/, (index) => `${index + 1} ${oneOf(streets, index)}, ${oneOf(cities, index)}`],
  [/\bstreet number$/, (index) => String(index + 1)],
  [/\btitle of courtesy$|\bsalutation$/, (index) => oneOf(['Ms.', 'Mr.'], index)],
  [/\b(?:remarks|notes|comments)$/, (index) => oneOf(remarks, index)],
  [/\b(?:job|contact) title$/, (index) => oneOf(jobs, index)],
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

/** One of several texts, by the index of a sample. */
export function oneOf(texts: readonly string[], index: number): string {
  return texts[index % texts.length] ?? '';
}

// The sizes of the lists have no common divisor, so that pairs of their items repeat after the product.
function turn(index: number, period = firstNames.length * lastNames.length): string {
  const turns = Math.floor(index / period);
  return turns === 0 ? '' : String(turns + 1);
}

// oxfmt-ignore
/** Numbers of the sample with an index, from 0, by the words of a property's name; the first row that matches counts. */
const numbers: readonly (readonly [words: RegExp, number: (index: number) => number])[] = [
  [/\byear(?: built)?$/, (index) => 1990 + (index * 7) % 35],
  [/\b(?:bedrooms|bathrooms|rooms|floors|stories|rating|stars)\b/, (index) => 1 + index % 5],
  [/\b(?:list|close|sale|asking|rent) price\b/, (index) => 325_000 + ((index * 17) % 60) * 12_500],
  [/\b(?:price|cost|fee|freight|amount|total|discount)$/, (index) => 19.95 + (index * 37) % 480],
  [/\b(?:salary|income|revenue|budget)$/, (index) => 42_000 + (index * 3_500) % 90_000],
  [/\blatitude$/, (index) => 43.6 + (index % 97) / 500],
  [/\blongitude$/, (index) => -79.6 + (index % 89) / 400],
  [/\bage$/, (index) => 20 + (index * 7) % 60],
  [/\b(?:percent|percentage|rate)$/, (index) => (index * 3) % 100],
  [/\b(?:quantity|units|stock)\b/, (index) => 1 + (index * 7) % 50],
  [/\b(?:area|square feet)$/, (index) => 900 + (index * 53) % 3_000],
];

/** The largest values of integers by type; any larger one holds these numbers. */
const largest: { readonly [type: string]: number | undefined } = { 'Edm.Byte': 255, 'Edm.SByte': 127, 'Edm.Int16': 32_767 };

/** A plausible number for a property by its name, such as a price or a year; undefined for other names and where none fits. */
export function plausibleNumber(name: string, { type, precision = 9, scale = 0 }: Field, index: number): string | undefined {
  const words = wordsOf(name);
  const number = numbers.find(([pattern]) => pattern.test(words))?.[1](index);
  if (number === undefined || number > (largest[type] ?? Infinity)) return undefined;
  if (type !== 'Edm.Decimal') return String(isFloating(type) ? number : Math.floor(number));
  const text = number
    .toFixed(Math.min(scale, 4))
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');
  return text.replace(/\..*|-/g, '').length <= precision - scale ? text : undefined;
}

// oxfmt-ignore
/** Days after the others' by the words of a date's name, so that what ends has begun; the first row that matches counts. */
const delays: readonly (readonly [words: RegExp, days: number])[] = [
  [/\b(?:birth|birthday|born)\b/, -12_000],
  [/\b(?:listing|begin|start|from|hire|hired)\b/, 0],
  [/\b(?:ship|shipped)\b/, 4],
  [/\b(?:contract|required|due|pending|purchase)\b/, 14],
  [/\b(?:close|closed|end|ends|until|to|off|delivered|completed|finished|expires|expiration|cancelled|returned|left)\b/, 30],
  [/\b(?:modified|modification|changed|change|updated|update|deleted)\b/, 45],
];

/** The days by which a date comes after those that begin something. */
export function daysLater(name: string): number {
  const words = wordsOf(name);
  return delays.find(([pattern]) => pattern.test(words))?.[1] ?? 0;
}
