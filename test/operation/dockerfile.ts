/** One instruction of a Dockerfile. */
interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The instructions of a Dockerfile, by stage; each stage begins with its FROM. */
export function parseDockerfile(text: string): readonly (readonly Instruction[])[] {
  const lines = text
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (!known.has(name)) throw new Error(`'${line}' is no instruction of a Dockerfile.`);
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, text: rest });
  }
  return stages;
}

const known: ReadonlySet<string> = new Set([
  'FROM',
  'WORKDIR',
  'COPY',
  'RUN',
  'ENV',
  'USER',
  'EXPOSE',
  'STOPSIGNAL',
  'HEALTHCHECK',
  'ENTRYPOINT',
  'CMD',
]);

/** The texts of a stage's instructions of one name. */
export function textsOf(stage: readonly Instruction[], name: string): readonly string[] {
  return stage.filter((instruction) => instruction.name === name).map(({ text }) => text);
}

/** The command of an instruction in its exec form, which no shell reads. */
export function commandOf(text: string): readonly string[] {
  const parsed: unknown = JSON.parse(text.slice(text.indexOf('[')));
  if (!Array.isArray(parsed) || !parsed.every((part) => typeof part === 'string')) throw new Error(`${text} is not in the exec form.`);
  return parsed;
}

/** The variables of ENV. */
export function variablesOf(stage: readonly Instruction[]): Readonly<Record<string, string>> {
  const pairs = textsOf(stage, 'ENV')
    .flatMap((text) => text.split(/\s+/))
    .map((pair) => pair.split('='));
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]));
}
