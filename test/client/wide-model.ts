import ts = require('typescript');
import { join } from 'node:path';
import { generateClient } from '../../generator/generate.js';

/** A document of the size of RESO's data dictionary: as many sets and properties, and the largest type as wide. */
export function wideModel(): string {
  const types = Array.from({ length: 41 }, (_, index) => ({ name: `Type${index}`, properties: index === 0 ? 632 : 24 }));
  const kinds = ['Edm.String', 'Edm.Decimal', 'Edm.Boolean', 'Edm.Date', 'Edm.Int64'];
  const entity = ({ name, properties }: (typeof types)[number], index: number): string => {
    const own = Array.from(
      { length: properties },
      (__, at) => `<Property Name="Field${at}" Type="${kinds[at % kinds.length]}" Scale="2" Precision="14"/>`,
    );
    const navigation = [1, 2, 3, 4].map((step) => {
      const target = `Wide.Type${(index + step) % types.length}`;
      return `<NavigationProperty Name="Link${step}" Type="${step % 2 === 0 ? `Collection(${target})` : target}"/>`;
    });
    const all = [...own, ...navigation].join('').replace(/(Type="Edm\.(?!Decimal)\w+") Scale="2" Precision="14"/g, '$1');
    return `<EntityType Name="${name}"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.String" Nullable="false"/>${all}</EntityType>`;
  };
  const sets = types.map(({ name }) => `<EntitySet Name="${name}s" EntityType="Wide.${name}"/>`);
  return `<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0"><edmx:DataServices><Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Wide">${types.map(entity).join('')}<EntityContainer Name="Container">${sets.join('')}</EntityContainer></Schema></edmx:DataServices></edmx:Edmx>`;
}

/** A program in memory: a model's types, and code that uses them. */
export interface TypedProject {
  readonly options: ts.CompilerOptions;
  readonly host: ts.CompilerHost;
  readonly paths: readonly string[];
}

const root = join(process.cwd(), 'virtual');

/** The files of `gable types` for a document, with further ones. */
export function typedProject(document: string, others: { readonly [path: string]: string } = {}): TypedProject {
  const source = { path: 'wide.xml', bytes: new TextEncoder().encode(document) };
  const { files } = generateClient(source, { policy: { mode: 'lenient', choices: {} } });
  const all = [...files.map(({ path, text }) => [path, text] as const), ...Object.entries(others)];
  const sources = new Map(all.filter(([path]) => path.endsWith('.ts')).map(([path, text]) => [join(root, path), text]));
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile) as { readonly config: { readonly compilerOptions: object } };
  const { options } = ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, noEmit: true, incremental: false }, process.cwd());
  delete options.tsBuildInfoFile;
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, directoryExists, getSourceFile } = host;
  host.fileExists = (path) => sources.has(path) || fileExists(path);
  host.directoryExists = (path) => [...sources.keys()].some((file) => file.startsWith(join(path, '/'))) || directoryExists?.(path) === true;
  host.readFile = (path) => sources.get(path) ?? readFile(path);
  host.getSourceFile = (path, target, ...rest) => {
    const text = sources.get(path);
    return text === undefined ? getSourceFile(path, target, ...rest) : ts.createSourceFile(path, text, target);
  };
  return { options, host, paths: [...sources.keys()] };
}
