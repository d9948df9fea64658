import { z } from 'zod';
import { isLoopbackHost, parseAddressRanges } from './network/addresses';
import { canParseUrl } from './network/can-parse-url';
import { databaseTlsProblem, splitHosts, type TlsSettings } from './network/database-tls';
import { parseSmtpUrl } from './network/smtp-url';

/** Other modules read the environment only through `env()`. `.env.example` and docs/internals/sandbox.md list the names. */
const text = z.string().trim().min(1);
const optional = text.optional();
const bucketName = text.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'is not a valid bucket name').optional();
const port = z.coerce.number().int().min(1).max(65_535);

/** A value with a parser, whose error becomes the validation message. */
const parsedBy = <Value>(parse: (value: string) => Value) =>
  z.string().transform((value, context) => {
    try {
      return parse(value);
    } catch (problem) {
      context.addIssue({ code: 'custom', message: problem instanceof Error ? problem.message : String(problem) });
      return z.NEVER;
    }
  });

const unverifiedTlsField = z
  .string()
  .transform((list) => list.split(',').map((name) => name.trim()))
  .pipe(
    z.array(z.enum(['postgres', 's3', 'smtp'], { error: 'can contain postgres, s3 and smtp, separated by commas' })),
  )
  .default([]);
/** A PEM certificate on one line writes its line breaks as \n. */
const certificateField = text
  .transform((pem) => pem.replaceAll('\\n', '\n'))
  .refine((pem) => pem.includes('-----BEGIN CERTIFICATE-----'), { error: 'must be certificates in PEM' })
  .optional();

/** A contact URI as defined by RFC 9116; an email address is converted to a mailto URI. */
const securityContactField = text
  .transform((contact) => (z.email().safeParse(contact).success ? toMailtoUri(contact) : contact))
  .refine((uri) => /^(https|mailto|tel):\S+$/.test(uri) && canParseUrl(uri), {
    error: 'must be an email address, or a URL that begins with https:, mailto: or tel:',
  })
  .optional();

/** A secret that a program sends in a header. */
const programSecret = text
  .regex(/^[\w.-]{16,}$/, 'must be at least 16 letters, digits, dots, dashes or underscores')
  .optional();

const logLevelField = z.enum(['debug', 'info', 'warn', 'error', 'silent']).optional();

const schema = z.object({
  APP_ENV: z.enum(['production', 'demo', 'test']).default('production'),
  PORT: port.default(3000),
  WEB_CONCURRENCY: z
    .union([z.literal('auto'), z.coerce.number().int().min(1).max(64)], { error: 'must be a number up to 64, or auto' })
    .default(1),
  LISTEN_ADDRESS: z.union([z.ipv4(), z.ipv6()], { error: 'must be an IP address of this machine' }).optional(),
  APP_URL: z.url({ protocol: /^https?$/ }).optional(),
  TRUSTED_PROXIES: z.string().default('loopback').pipe(parsedBy(parseAddressRanges)),
  VERCEL: z.literal('1').optional(),
  DATABASE_URL: text,
  DATABASE_READ_URL: optional,
  MIGRATION_DATABASE_URL: optional,
  DATABASE_CA: certificateField,
  ALLOW_UNVERIFIED_TLS: unverifiedTlsField,
  DATABASE_POOL_MAX: z.coerce.number().int().min(1).max(100).default(10),
  DATABASE_PREPARE: z.enum(['on', 'off']).default('on'),
  CATALOGUE_CACHE_MB: z.coerce.number().int().min(0).max(4_096).default(32),
  CHANGES_PER_MINUTE: z.coerce.number().int().min(1).max(1_000_000).default(600),
  SECURITY_CONTACT: securityContactField,
  DATA_DIR: text.default('.data'),
  NEXTAUTH_SECRET: text.min(32, 'must be at least 32 characters'),
  SECRET_KEYS: text.regex(/^[a-z0-9]+:[A-Za-z0-9+/=_-]{43,44}(,[a-z0-9]+:[A-Za-z0-9+/=_-]{43,44})*$/, {
    error: 'must be id:key[,id:key], each key 32 bytes in base64',
  }),
  ADMIN_EMAIL: z.email().optional(),
  ADMIN_PASSWORD: z.string().min(8, 'must be at least 8 characters').optional(),
  STRIPE_BASE_URL: z.url().optional(),
  PAYPAL_BASE_URL: z.url().optional(),
  WECHAT_BASE_URL: z.url().optional(),
  RESEND_API_KEY: optional,
  RESEND_BASE_URL: z.url().optional(),
  SMTP_URL: parsedBy(parseSmtpUrl).optional(),
  SMTP_CA: certificateField,
  OPENAI_BASE_URL: z.url().optional(),
  ECB_BASE_URL: z.url().optional(),
  AHREFS_BASE_URL: z.url().optional(),
  VIES_BASE_URL: z.url().optional(),
  TELEGRAM_BASE_URL: z.url().optional(),
  PUBLISHER_BASE_URL: z.url({ protocol: /^http$/ }).optional(),
  EGRESS_PROXY_URL: z.url({ protocol: /^https?$/, error: 'must begin with http:// or https://' }).optional(),
  MAIL_FROM: text.default('LinkMarket <no-reply@example.com>'),
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  S3_REGION: text.default('us-east-1'),
  S3_BUCKET: bucketName,
  S3_ACCESS_KEY_ID: optional,
  S3_SECRET_ACCESS_KEY: optional,
  BACKUP_S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  BACKUP_S3_REGION: text.default('us-east-1'),
  BACKUP_S3_BUCKET: bucketName,
  BACKUP_S3_ACCESS_KEY_ID: optional,
  BACKUP_S3_SECRET_ACCESS_KEY: optional,
  S3_DIRECT_UPLOADS: z.enum(['on', 'off']).optional(),
  CLAMD_ADDRESS: text
    .regex(/^(\/.+|(\[[\da-fA-F:.]+\]|[\w.-]+):\d{1,5})$/, 'must be host:port or the path of a socket')
    .refine((address) => address.startsWith('/') || port.safeParse(address.split(':').at(-1)).success, {
      error: 'must be host:port with a port from 1 to 65535',
    })
    .optional(),
  /** Credentials of the sandbox gateway for each provider. The demo's seed stores them as an admin would. */
  SANDBOX_STRIPE_WEBHOOK_SECRET: optional,
  SANDBOX_PAYPAL_CLIENT_ID: optional,
  SANDBOX_PAYPAL_CLIENT_SECRET: optional,
  SANDBOX_PAYPAL_WEBHOOK_ID: optional,
  SANDBOX_WECHAT_MCHID: optional,
  SANDBOX_WECHAT_APPID: optional,
  SANDBOX_WECHAT_API_V3_KEY: optional,
  SANDBOX_WECHAT_SERIAL_NO: optional,
  SANDBOX_WECHAT_PRIVATE_KEY: optional,
  SANDBOX_WECHAT_PUBLIC_KEY_ID: optional,
  SANDBOX_WECHAT_PUBLIC_KEY: optional,
  SANDBOX_WECHAT_PLATFORM_SERIAL: optional,
  LOG_LEVEL: logLevelField,
  LOG_ADDRESSES: z.enum(['full', 'network', 'off']).default('full'),
  JOBS: z.enum(['on', 'off']).default('on'),
  CRON_SECRET: programSecret,
  METRICS_TOKEN: programSecret,
  METRICS_ADDRESSES: parsedBy(parseAddressRanges).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: optional,
  OTEL_SERVICE_NAME: text.default('linkmarket'),
  OTEL_SDK_DISABLED: z.enum(['true', 'false']).default('false'),
});

export type Env = Omit<z.infer<typeof schema>, 'APP_URL'> & { APP_URL: string };

/** Builds a mailto URI (RFC 6068). Characters that the URI does not allow are percent-encoded. */
export function toMailtoUri(email: string): string {
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}`;
}

let cached: Env | undefined;

/**
 * Returns the validated environment.
 * @throws Error that lists every missing or invalid variable
 */
export function env(): Env {
  cached ??= parseEnv(process.env);
  return cached;
}

/**
 * Reads LOG_LEVEL alone, so that the logger works while other variables are invalid. Undefined when unset or invalid.
 */
export function logLevel(): z.infer<typeof logLevelField> {
  return logLevelField.safeParse(process.env.LOG_LEVEL || undefined).data;
}

/** Reads the TLS settings for PostgreSQL alone: `npm run db:migrate` needs no other variable. */
export function databaseTlsSettings(source: Record<string, string | undefined> = process.env): TlsSettings {
  const allowed = unverifiedTlsField.safeParse(source.ALLOW_UNVERIFIED_TLS || undefined).data ?? [];
  const ca = certificateField.safeParse(source.DATABASE_CA || undefined).data;
  return {
    isUnverifiedAllowed: allowed.includes('postgres'),
    ca,
    defaultHost: source.PGHOST || undefined,
    defaultPort: Number(source.PGPORT) || undefined,
  };
}

/** The output folder of `next build`. NEXT_DIST_DIR serves parallel builds and is not a setting of an installation. */
export function buildFolder(): string {
  return process.env.NEXT_DIST_DIR || '.next';
}

/** Whether Next.js leaves SIGTERM to the app ("Manual Graceful shutdowns"), as `npm start` configures it. */
export function handlesShutdownSignals(): boolean {
  return process.env.NEXT_MANUAL_SIG_HANDLE === 'true';
}

/** The variable with the number of a process that shares its port with others (WEB_CONCURRENCY), from 1. */
export const processNumberVariable = 'CLUSTER_PROCESS';

/** Returns that number; null in a process of its own. */
export function processNumber(): string | null {
  return process.env[processNumberVariable] ?? null;
}

/** Parses a set of variables. Exported for tests and the start script. Empty strings count as unset. */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const input = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(input, { reportInput: true });
  const problems = [...(parsed.success ? [] : parsed.error.issues.map(formatIssue)), ...checkCombinations(input)];
  if (!parsed.success || problems.length > 0) {
    throw new Error(`The environment is incomplete:\n${problems.map((line) => `  ${line}`).join('\n')}`);
  }
  return {
    ...parsed.data,
    APP_URL: (parsed.data.APP_URL ?? `http://localhost:${parsed.data.PORT}`).replace(/\/$/, ''),
  };
}

function formatIssue(issue: z.core.$ZodIssue): string {
  const name = issue.path.join('.');
  const missing = issue.code === 'invalid_type' && issue.input === undefined;
  return `${name} ${missing ? 'is not set' : issue.message}`;
}

/** `address` or `name <address>`. */
const mailSender = /^([^<>]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/;

/**
 * Checks rules that span several variables. Reads the raw values, so that it also reports beside an invalid variable.
 */
function checkCombinations(values: Record<string, string | undefined>): string[] {
  const problems: string[] = [];
  const appEnv = values.APP_ENV ?? 'production';
  if (appEnv === 'production' && !values.APP_URL) {
    problems.push('APP_URL is not set (the public URL, e.g. https://links.example.com)');
  }
  if (appEnv === 'production' && isPlainHttp(values.APP_URL ?? '')) {
    problems.push(
      'APP_URL must begin with https:// in production: plain http exposes passwords and sessions on the network (http is for localhost only)',
    );
  }
  if (Boolean(values.ADMIN_EMAIL) !== Boolean(values.ADMIN_PASSWORD)) {
    problems.push('ADMIN_EMAIL and ADMIN_PASSWORD belong together: set both or neither');
  }
  const { S3_ENDPOINT, S3_BUCKET } = values;
  for (const prefix of ['S3', 'BACKUP_S3']) {
    const names = ['ENDPOINT', 'BUCKET', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'].map((name) => `${prefix}_${name}`);
    const set = names.filter((name) => values[name]);
    if (set.length > 0 && set.length < names.length) {
      const [last] = names.slice(-1);
      problems.push(`${names.slice(0, -1).join(', ')} and ${last} belong together: set all or none`);
    }
  }
  if (values.S3_DIRECT_UPLOADS === 'on' && !S3_BUCKET) {
    problems.push('S3_DIRECT_UPLOADS=on needs a bucket: set S3_BUCKET and the other S3_ variables');
  }
  if (values.S3_DIRECT_UPLOADS === 'on' && isPlainHttp(S3_ENDPOINT ?? '') && !isPlainHttp(values.APP_URL ?? '')) {
    problems.push(
      'S3_DIRECT_UPLOADS=on needs an S3_ENDPOINT with https: browsers refuse to send files from https to http',
    );
  }
  if (values.SMTP_URL && values.RESEND_API_KEY) {
    problems.push('SMTP_URL and RESEND_API_KEY exclude each other: set the one that sends the mails');
  }
  if (values.SMTP_URL && !mailSender.test(values.MAIL_FROM?.trim() ?? '')) {
    problems.push('MAIL_FROM must be the sender for SMTP_URL: an email address, or a name and <address>');
  }
  if (appEnv === 'production') problems.push(...listUnverifiedConnections(values));
  for (const name of [
    'STRIPE_BASE_URL',
    'PAYPAL_BASE_URL',
    'WECHAT_BASE_URL',
    'RESEND_BASE_URL',
    'OPENAI_BASE_URL',
    'ECB_BASE_URL',
    'AHREFS_BASE_URL',
    'VIES_BASE_URL',
    'TELEGRAM_BASE_URL',
    'PUBLISHER_BASE_URL',
  ] as const) {
    if (values[name]) problems.push(...checkGatewayUrl(name, values[name], appEnv));
  }
  return problems;
}

/** Lists connections to data stores on other machines that are not verified. Production does not start with them. */
function listUnverifiedConnections(values: Record<string, string | undefined>): string[] {
  const settings = databaseTlsSettings(values);
  const databases = (['DATABASE_URL', 'MIGRATION_DATABASE_URL'] as const).flatMap((name) => {
    const problem = values[name] ? databaseTlsProblem(name, values[name], settings) : null;
    return problem ?? [];
  });
  // One by one and without target_session_attrs, which may select standbys here.
  const replicas = values.DATABASE_READ_URL ? splitHosts(values.DATABASE_READ_URL) : [];
  const [ofReplicas = []] = replicas.flatMap(({ url }) => databaseTlsProblem('DATABASE_READ_URL', url, settings) ?? []);
  const isPlainAllowed = unverifiedTlsField.safeParse(values.ALLOW_UNVERIFIED_TLS).data?.includes('s3') ?? false;
  return [
    ...databases,
    ...[ofReplicas].flat(),
    ...['S3_ENDPOINT', 'BACKUP_S3_ENDPOINT']
      .filter((name) => isPlainHttp(values[name] ?? '') && !isPlainAllowed)
      .map((name) => `${name} must begin with https://, or set ALLOW_UNVERIFIED_TLS=s3 if you control the network`),
    ...(values.NODE_TLS_REJECT_UNAUTHORIZED === '0'
      ? [
          'NODE_TLS_REJECT_UNAUTHORIZED=0 disables the verification of every server, payment providers included: use NODE_EXTRA_CA_CERTS',
        ]
      : []),
  ];
}

/** Whether the URL uses http and points to another machine. */
function isPlainHttp(value: string): boolean {
  if (!canParseUrl(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocol === 'http:' && !isLoopbackHost(hostname);
}

/** The sandbox gateway is rejected in production, and allowed in demo and test on a loopback address only. */
function checkGatewayUrl(name: string, value: string, appEnv: string): string[] {
  if (appEnv === 'production') return [`${name} is set: the sandbox gateway cannot be used in production`];
  const hostname = canParseUrl(value) ? new URL(value).hostname : '';
  return ['127.0.0.1', '[::1]'].includes(hostname) ? [] : [`${name} must be a loopback address (127.0.0.1)`];
}
