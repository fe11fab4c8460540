import { errors } from '../errors/catalogue.js';
import type { ODataError } from '../errors/odata-error.js';
import type { ODataRequest } from '../protocol/message.js';
import type { Answer, Service } from './service.js';

/** A feature's answers to requests outside of the service root; paths are those of the whole address. */
export interface Outside {
  readonly paths?: readonly string[];
  /** First segments, such as `/docs/`, below which it answers every path that is in no other row. */
  readonly folders?: readonly string[];
  /** Whether it answers a request to its paths in place of the service; every request where absent. */
  readonly replaces?: (request: ODataRequest) => boolean;
  readonly answer: Answer;
  /** Whether it is part of the service: pages of permitted origins may read it, and its requests are limited. */
  readonly isGuarded?: true;
  /** The path of its first page, if it has pages. */
  readonly home?: string;
  /** The path that explains an error code. */
  readonly helpFor?: (code: string) => string;
}

/** The surroundings of a service. */
export interface Site {
  readonly rootPath: string;
  /** The folder of the model's compiled code and pages. */
  readonly built?: string | undefined;
  /** The pages that the settings switch on. */
  readonly pages: ReadonlySet<string>;
  /** Whether clients may send their name and secret. */
  readonly basic?: boolean;
  /** The scope whose callers may see the plans of their reads; none where it is empty. */
  readonly explainScope?: string;
  /** Days for which deletions stay in the change log. */
  readonly changesKept?: number;
  /** How webhooks are delivered. */
  readonly webhooks?: WebhookSettings;
}

/** The settings of webhooks. */
export interface WebhookSettings {
  /** The secret of the service, from which those of hooks are derived. */
  readonly secret: string;
  /** Whether this process delivers. */
  readonly delivers: boolean;
  /** Networks that may be reached although they are not public. */
  readonly networks: readonly string[];
  /** Milliseconds that a consumer has to answer. */
  readonly timeout: number;
  /** Seconds between the tries of a delivery. */
  readonly tries: readonly number[];
}

type CreateOutside = (site: Site) => Outside | undefined;

const creators: CreateOutside[] = [];

/** Adds a feature that answers requests outside of the service root, where the function returns answers for a site. */
export function registerOutside(create: CreateOutside): void {
  if (!creators.includes(create)) creators.push(create);
}

/** The answers of all features for a site. */
export function outsidesOf(site: Site): readonly Outside[] {
  return creators.flatMap((create) => create(site) ?? []);
}

/** Finds the answers for a path in tables, which are built once. */
export function outsidesByPath(outsides: readonly Outside[]): (path: string) => Outside | undefined {
  const paths = new Map(outsides.flatMap((outside) => (outside.paths ?? []).map((path) => [path, outside])));
  const folders = new Map(outsides.flatMap((outside) => (outside.folders ?? []).map((folder) => [folder, outside])));
  return (path) => paths.get(path) ?? folders.get(path.slice(0, path.indexOf('/', 1) + 1));
}

/** The error at an address without a resource. The root's path is that of the client, which a proxy may have shortened. */
export function nothingHere({ root }: Pick<Service, 'root'>): ODataError {
  return errors.notFound('resource at this address', ` The service root is ${new URL(root).pathname}.`);
}
