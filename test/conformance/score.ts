import { existsSync, readFileSync } from 'node:fs';
import { startService, type TestService } from '../support/service.js';
import { startToy } from '../toy/toy-service.js';
import { coreRules } from './core-rules.js';
import { expressionRules } from './expression-rules.js';
import { newerRules } from './newer-rules.js';
import { models, type ServiceName, type Step, type Trial } from './rule.js';
import { startSecond } from './second-service.js';
import { wireRules } from './wire-rules.js';

/** A rule of the checklist. */
interface Rule {
  readonly id: string;
  readonly level: string;
  readonly strength: string;
  readonly requirement: string;
}

type Verdict = 'holds' | 'falls' | 'does not apply';

/** A rule, what became of it, and by which case. */
interface Scored extends Rule {
  readonly verdict: Verdict;
  readonly shown: string;
}

const trials: readonly Trial[] = [...coreRules, ...newerRules, ...wireRules, ...expressionRules];
const scoreFile = 'test/conformance/score.md';

/** Whether a rule must hold. */
function isMust({ strength }: Rule): boolean {
  return strength.startsWith('MUST');
}

/** Tries every rule of the checklist, those that others are made of last. */
export async function score(): Promise<readonly Scored[]> {
  const services = new Map<ServiceName, TestService>();
  const scored = new Map<string, Scored>();
  try {
    const rules = readRules();
    const byRule = new Map(trials.map((trial) => [trial.rule, trial]));
    // Filters first, while the records are those of the fixture.
    for (const isFilter of [true, false]) {
      for (const rule of rules) {
        const trial = trialOf(rule, byRule);
        if (!isComposed(trial) && 'filter' in trial === isFilter) scored.set(rule.id, await tryRule(rule, trial, services));
      }
    }
    for (const rule of rules) {
      const trial = trialOf(rule, byRule);
      if ('levels' in trial) scored.set(rule.id, composed(rule, trial.levels, [...scored.values()]));
    }
    return rules.flatMap(({ id }) => scored.get(id) ?? []);
  } finally {
    await Promise.all([...services.values()].map((service) => service.stop()));
  }
}

/** The rules that must hold, held when the score was written, and do not any more. */
export function fallen(now: readonly Scored[]): readonly string[] {
  const before = new Map(
    [...readFileSync(scoreFile, 'utf8').matchAll(/^\| ([^|]+) \| [^|]+ \| [^|]+ \| (holds|falls|does not apply) \|/gm)].map(
      ([, id = '', verdict = '']) => [id, verdict],
    ),
  );
  return now
    .filter((rule) => isMust(rule) && before.get(rule.id) === 'holds' && rule.verdict !== 'holds')
    .map(({ id, shown }) => `${id}: ${shown}`);
}

/** The page of the score. */
export function printScore(scored: readonly Scored[]): string {
  const rows = scored.map(
    ({ id, level, strength, requirement, verdict, shown }) =>
      `| ${id} | ${strength} | ${cell(`${level}: ${requirement}`)} | ${verdict} | ${cell(shown)} |`,
  );
  const count = (verdict: Verdict, must: boolean): number =>
    scored.filter((rule) => rule.verdict === verdict && (!must || isMust(rule))).length;
  const open = scored.filter((rule) => isMust(rule) && rule.verdict === 'falls').map(({ id }) => id);
  return [
    '# Conformance',
    '',
    `\`npm run conformance\` tries every rule of \`checklist.tsv\` on running services and writes this page; it fails when a MUST that held falls.`,
    '',
    `Of ${scored.length} rules ${count('holds', false)} hold, ${count('falls', false)} fall and ${count('does not apply', false)} do not apply; of the MUSTs ${count('holds', true)} hold and ${count('falls', true)} fall${open.length === 0 ? '' : `: ${open.join(', ')}`}.`,
    '',
    '| rule | strength | requirement | verdict | case |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function readRules(): readonly Rule[] {
  const [, ...lines] = readFileSync('test/conformance/checklist.tsv', 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [id = '', level = '', strength = '', requirement = ''] = line.split('\t');
    return { id, level, strength, requirement };
  });
}

function trialOf({ id }: Rule, byRule: ReadonlyMap<string, Trial>): Trial {
  const trial = byRule.get(id);
  if (trial === undefined) throw new Error(`The rule ${id} has no trial.`);
  return trial;
}

function isComposed(trial: Trial): boolean {
  return 'levels' in trial;
}

function composed(rule: Rule, levels: readonly string[], scored: readonly Scored[]): Scored {
  const falling = scored.filter((other) => levels.includes(other.level) && isMust(other) && other.verdict === 'falls');
  return {
    ...rule,
    verdict: falling.length === 0 ? 'holds' : 'falls',
    shown: falling.length === 0 ? `every MUST of ${levels.join(' and ')}` : falling.map(({ id }) => id).join(', '),
  };
}

async function tryRule(rule: Rule, trial: Trial, services: Map<ServiceName, TestService>): Promise<Scored> {
  if ('reason' in trial) return { ...rule, verdict: 'does not apply', shown: trial.reason };
  const steps = 'filter' in trial ? [filterStep(trial.filter, trial.keys)] : 'steps' in trial ? trial.steps : [];
  const shown = 'filter' in trial ? trial.filter : steps.map(({ ask }) => ask).join('; ');
  for (const step of steps) {
    const wrong = await tryStep(step, services);
    if (wrong !== undefined)
      return { ...rule, verdict: 'falls', shown: `${step.ask}: ${wrong}${'declined' in trial ? `. ${trial.declined}` : ''}` };
  }
  return { ...rule, verdict: steps.length === 0 ? 'falls' : 'holds', shown };
}

// The fixture's listings only: other rules make further ones.
function filterStep(filter: string, keys: string): Step {
  const own = "ListingKey in ('Draft1','Draft2','3','4','5','6')";
  const query = `$select=ListingKey&$orderby=ListingKey&$filter=${encodeURIComponent(`(${filter}) and ${own}`)}`;
  const records = keys.split(' ').map((key) => `\\{"@odata\\.etag":"[^}]*","ListingKey":"${key}"\\}`);
  return { ask: `GET /Property?${query}`, status: 200, shows: new RegExp(`"value":\\[${records.join(',')}\\]`) };
}

function startNamed(name: ServiceName, model: string | undefined): Promise<TestService> {
  // Operations need handlers, which a project has.
  if (name === 'second') return startSecond();
  return model === undefined ? startService() : startToy(model);
}

async function tryStep(step: Step, services: Map<ServiceName, TestService>): Promise<string | undefined> {
  const name = step.on ?? 'listing';
  const model = models[name];
  if (model !== undefined && !existsSync(model)) return `the model ${model} is not there`;
  const service = services.get(name) ?? (await startNamed(name, model));
  services.set(name, service);
  const [method = '', path = ''] = step.ask.split(/ (.*)/s);
  const headers = {
    Authorization: `Bearer ${await service.token('write')}`,
    ...(step.body !== undefined && { 'Content-Type': 'application/json' }),
    ...step.headers,
  };
  const response = await fetch(`${service.root}${path}`, {
    method,
    headers,
    ...(step.body !== undefined && { body: typeof step.body === 'string' ? step.body : JSON.stringify(step.body) }),
  });
  const text = `${[...response.headers].map(([header, value]) => `${header}: ${value}`).join('\n')}\n\n${await response.text()}`;
  if (response.status !== step.status) return `${response.status} instead of ${step.status}`;
  if (step.shows && !step.shows.test(text)) return `the answer does not show ${step.shows.source}`;
  return step.hides?.test(text) ? `the answer shows ${step.hides.source}` : undefined;
}
