// git that speaks with repositories elsewhere, with credentials that stand in variables of its own process alone.
import { environment, gitBytes, type AskedBytes } from './git.ts'

/** What opens a repository elsewhere; each by reference, so that no configuration, row or log holds it. */
export interface GitCredentials {
  username?: string
  /** Name of the variable with the password or token. */
  passwordVariable?: string
  /** Path of a private key for ssh. */
  sshKeyFile?: string
}

export interface Outward {
  /** Address of the repository: the credentials are for its server alone. */
  url: string
  env: Readonly<Record<string, string | undefined>>
  home: string
  credentials: GitCredentials
}

export interface Bytes {
  stdout: Buffer
  /** Fit to be shown: printable, short, and without the password. */
  why: string
  failed: boolean
}

export interface AskedGit extends AskedBytes {
  variables?: Readonly<Record<string, string>>
}

const MOST_SHOWN = 300
/** Forges heed the token and not the name. */
const ANYBODY = 'git'

/** Without a prompt, by the hosts that the user knows; a new host is remembered, a changed one refused. */
const SSH = 'ssh -o BatchMode=yes -o StrictHostKeyChecking=accept-new -o ConnectTimeout=20'

/** Variables of the machine that say how the network is reached. */
const PASSED = [
  'SSH_AUTH_SOCK',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'SSL_CERT_FILE',
  'GIT_SSL_CAINFO',
]

/** Says the words of the credential protocol out of its own environment: they stand in no argument and no file. */
const HELPER = '!f() { test "$1" = get && printf "username=%s\\npassword=%s\\n" "$SVC_GIT_USER" "$SVC_GIT_WORD"; }; f'

/** Of that server: one that it sends to, in whoever's hands, asks in vain. */
const helperOf = (url: string): [string, string] => [`credential.${new URL(url).origin}.helper`, HELPER]

function variablesOf({ url, env, home, credentials }: Outward): Record<string, string> {
  const { username = ANYBODY, passwordVariable, sshKeyFile } = credentials
  const password = passwordVariable === undefined ? undefined : env[passwordVariable]
  const config: [string, string][] = [
    ['http.lowSpeedLimit', '1000'],
    ['http.lowSpeedTime', '30'],
    ['fetch.negotiationAlgorithm', 'noop'],
    ['gc.autoDetach', 'false'],
    ...(password === undefined || !/^https?:/.test(url) ? [] : [helperOf(url)]),
  ]
  const passed = PASSED.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]))
  return {
    ...environment({ env, home }, config),
    ...Object.fromEntries(passed),
    GIT_ALLOW_PROTOCOL: 'https:http:ssh:file',
    GIT_NO_LAZY_FETCH: '0',
    GIT_SSH_COMMAND: sshKeyFile === undefined ? SSH : `${SSH} -o IdentitiesOnly=yes -i ${quoted(sshKeyFile)}`,
    ...(password === undefined ? {} : { SVC_GIT_USER: username, SVC_GIT_WORD: password }),
  }
}

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`

/** Never throws for how git ends. */
export async function gitOutward(
  outward: Outward,
  args: readonly string[],
  { variables = {}, ...asked }: AskedGit = {},
): Promise<Bytes> {
  const { stdout, said, failed } = await gitBytes({ ...variablesOf(outward), ...variables }, args, asked)
  return { stdout, why: shown(said, outward), failed }
}

/** The other end writes part of it. */
function shown(said: string, { env, credentials: { passwordVariable } }: Outward): string {
  const password = passwordVariable === undefined ? undefined : env[passwordVariable]
  const masked = password ? said.replaceAll(password, '***') : said
  const lines = masked
    .split('\n')
    .map((line) => line.replace(/[^\x20-\x7e]/g, '').trim())
    .filter((line) => line !== '' && !/^(hint|warning):/.test(line))
  return lines.join('; ').slice(0, MOST_SHOWN)
}
