import type { Row } from './columns.js';
import { momentOf, momentText, todayDay } from './life.js';
import { type Place, places } from './places.js';
import { chance, integer, orNull, pick, pickWeighted, type Random, randomOf } from './random.js';

/** The numbers of members and offices for the listings. */
export interface Crowd {
  readonly agents: number;
  readonly offices: number;
}

/** About one agent for ten listings and one office for forty. */
export function crowdFor(listings: number): Crowd {
  return { agents: Math.max(2, Math.ceil(listings / 10)), offices: Math.max(1, Math.ceil(listings / 40)) };
}

/** Key of an agent, counted from 1. */
export function agentKey(agent: number): string {
  return `M${String(agent).padStart(6, '0')}`;
}

/** Key of the member that represents an agent's office, as ListOfficeKey requires. */
export function officeMemberKey(agent: number, { offices }: Crowd): string {
  return `M9${String(officeOf(agent, offices)).padStart(5, '0')}`;
}

/** An agent of the same office; the agent itself, when there is no other. */
export function colleagueOf(random: Random, agent: number, { agents, offices }: Crowd): number {
  const office = officeOf(agent, offices);
  const staff = Math.floor((agents - office) / offices) + 1;
  return office + offices * integer(random, 0, staff - 1);
}

/** An office, counted from 1. */
export function officeRow(seed: number, office: number, { agents, offices }: Crowd): Row<'Office'> {
  const { random, place, name } = officeFacts(seed, office);
  const area = pick(random, place.areas);
  return {
    OfficeKey: officeKey(office),
    OfficeMlsId: String(20_000 + office),
    OfficeName: name,
    OfficePhone: phone(random, place),
    OfficeEmail: orNull(random, 0.2, `office${office}@gable.example`),
    OfficeCity: place.city,
    OfficeStateOrProvince: place.state,
    OfficePostalCode: place.country === 'US' ? area[1] : `${area[1]} ${integer(random, 1, 9)}A${integer(random, 0, 9)}`,
    OfficeStatus: chance(random, 0.04) ? 'Inactive' : 'Active',
    MainOfficeKey: office > 1 && chance(random, 0.15) ? officeKey(integer(random, 1, Math.min(office - 1, offices))) : null,
    OfficeBrokerKey: office <= agents ? agentKey(office) : null,
    PhotosChangeTimestamp: null,
    ModificationTimestamp: changedAt(random),
  };
}

/** An agent; the first of every office is its broker. */
export function agentRow(seed: number, agent: number, { offices }: Crowd): Row<'Member'> {
  const random = randomOf(seed, 'member', agent);
  const office = officeOf(agent, offices);
  const { place } = officeFacts(seed, office);
  const [first, last] = [pick(random, firstNames), pick(random, lastNames)];
  return {
    MemberKey: agentKey(agent),
    MemberMlsId: String(100_000 + agent),
    MemberFirstName: first,
    MemberLastName: last,
    MemberFullName: `${first} ${last}`,
    MemberEmail: orNull(random, 0.05, `agent${agent}@gable.example`),
    MemberPreferredPhone: orNull(random, 0.1, phone(random, place)),
    MemberType:
      agent <= offices
        ? 'Designated REALTOR Participant'
        : pick(random, ['REALTOR Salesperson', 'REALTOR Salesperson', 'Licensed Assistant']),
    MemberStatus: chance(random, 0.04) ? 'Inactive' : 'Active',
    OfficeKey: officeKey(office),
    ModificationTimestamp: changedAt(random),
  };
}

/** The member that represents an office. */
export function officeMemberRow(seed: number, office: number, crowd: Crowd): Row<'Member'> {
  const { random, place, name } = officeFacts(seed, office);
  return {
    MemberKey: officeMemberKey(office, crowd),
    MemberMlsId: String(90_000_000 + office),
    MemberFirstName: null,
    MemberLastName: null,
    MemberFullName: name,
    MemberEmail: `office${office}@gable.example`,
    MemberPreferredPhone: phone(random, place),
    MemberType: 'Office Manager',
    MemberStatus: 'Active',
    OfficeKey: officeKey(office),
    ModificationTimestamp: changedAt(random),
  };
}

function officeKey(office: number): string {
  return `O${String(office).padStart(5, '0')}`;
}

function officeOf(agent: number, offices: number): number {
  return ((agent - 1) % offices) + 1;
}

function officeFacts(seed: number, office: number): { readonly random: Random; readonly place: Place; readonly name: string } {
  const random = randomOf(seed, 'office', office);
  const place = pickWeighted(random, places);
  return { random, place, name: pick(random, officeNames).replaceAll('{city}', place.city) };
}

// Numbers 555-01xx are reserved for examples.
function phone(random: Random, { areaCode }: Place): string {
  return `+1-${areaCode}-555-01${String(integer(random, 0, 99)).padStart(2, '0')}`;
}

function changedAt(random: Random): string {
  return momentText(momentOf(todayDay - integer(random, 1, 1_095), random()));
}

// oxfmt-ignore
const firstNames: readonly string[] = [
  'Amelia', 'Liam', 'Zoë', 'Noah', 'Priya', 'Wei', 'Fatima', 'José', 'Chloé', 'Mohammed', 'Hannah', 'Siobhán', 'Lucas', 'Aiko', 'Kwame',
  'Ingrid', 'François', 'Anne-Marie', 'Darius', 'Nguyễn', 'Olivia', 'Ravi', 'Sofía', 'Jean-Luc', 'Tomasz', 'Émilie', 'Grace', 'Marcus',
  'Leïla', 'Björn',
];

// oxfmt-ignore
const lastNames: readonly string[] = [
  "O'Connor", 'Tremblay', 'Singh', 'Chen', "D'Souza", 'MacDonald', 'Gagné', 'Nguyen', 'Smith', 'van der Berg', "O'Brien", 'Müller',
  'Patel', 'Côté', 'García-López', 'Kowalski', 'Brown', 'Kim', 'Haddad', 'Lévesque', 'Okafor', 'Rossi', 'St. John', 'Bergström',
  'Thompson', 'Ali', 'Fraser', 'Yamamoto',
];

// oxfmt-ignore
/** Names of brokerages; the braces are replaced by the place's name. */
const officeNames: readonly string[] = [
  '{city} Realty Inc., Brokerage', 'Harbour & Main Real Estate', "O'Neill & Daughters Realty", 'Northern Gable Realty Ltd.',
  'Immeubles Côté inc.', '{city} Homes Group', 'Keystone “Key” Realty', 'Maple Leaf Property Partners', "St. George's Real Estate Co.",
  'First {city} Brokerage', 'Blue Door Realty', 'Old Mill Realty Corp.',
];
