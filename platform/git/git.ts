// The one way to git: without the configuration of anybody, a repository's own least of all, and as the user it is for.
//
// A repository's configuration, hooks and attributes name programs for git to run, and whoever may write in the
// working tree (an agent that may write files but run nothing) may write them. No list of such keys is complete, so
// that file is not read: git gets a folder of ours as its common folder, which holds our configuration and links to
// the objects and refs of the real one.
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { execa } from 'execa'
import { unprocessable } from '../core/problem.ts'

/** Whose git it is. */
export interface GitUser {
  env: Readonly<Record<string, string | undefined>>
  /** Words before a command that run it as another user; none for the daemon's own. */
  prefix?: readonly string[]
  /** Home of that user. */
  home?: string | null
}

export interface Answer {
  stdout: string
  stderr: string
  failed: boolean
}

/** Milliseconds until a git that waits for something is ended. */
const PATIENCE_MS = 120_000
const NOTHING = '/dev/null'

/**
 * What a configuration could have git run, each set so that it runs nothing; for the commands that find the
 * repository.
 */
const CONFIG: Readonly<Record<string, string>> = {
  'safe.directory': '*',
  'core.hooksPath': NOTHING,
  'core.fsmonitor': 'false',
  'core.untrackedCache': 'false',
  'core.attributesFile': NOTHING,
  'core.pager': 'cat',
  'core.editor': 'false',
  'core.askPass': 'false',
  'core.sshCommand': 'false',
  'core.gitProxy': 'false',
  'core.alternateRefsCommand': 'true',
  'sequence.editor': 'false',
  'credential.helper': '',
  'diff.external': '',
  'gpg.program': 'false',
  'commit.gpgSign': 'false',
  'log.showSignature': 'false',
  'protocol.allow': 'never',
  'submodule.recurse': 'false',
  'uploadpack.packObjectsHook': '',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'advice.detachedHead': 'false',
}

/** Variables under which git reads nobody's configuration and runs nothing. `more` is configuration beside ours. */
export function environment(
  { env, home }: GitUser,
  more: readonly (readonly [key: string, value: string])[] = [],
): Record<string, string> {
  const config = [...Object.entries(CONFIG), ...more]
  const keys = config.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ])
  return {
    HOME: home ?? env.HOME ?? '/',
    PATH: env.PATH ?? '',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: NOTHING,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_CONFIG_COUNT: String(config.length),
    ...Object.fromEntries(keys),
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'false',
    GIT_EDITOR: 'false',
    GIT_PAGER: 'cat',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LITERAL_PATHSPECS: '1',
  }
}

/** Runs a program as the user, with these variables alone; never throws for how it ends. */
async function run(user: GitUser, command: readonly string[], variables: Record<string, string>): Promise<Answer> {
  const given = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  // sudo hands no variables on: they are set behind it.
  const words = user.prefix?.length ? [...user.prefix, 'env', '-i', ...given, ...command] : command
  const [program, ...args] = words as [string, ...string[]]
  const result = await execa(program, args, {
    env: user.prefix?.length ? { PATH: user.env.PATH } : variables,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    cwd: '/',
    timeout: PATIENCE_MS,
  })
  if (result.code === 'ENOENT')
    throw unprocessable(`${program} is not installed: install it, or leave "worktree" out`, 'program-missing')
  return { stdout: (result.stdout ?? '').trim(), stderr: (result.stderr ?? '').trim(), failed: result.failed }
}

export interface AskedBytes {
  input?: string
  signal?: AbortSignal | undefined
  /** Milliseconds until it is ended. */
  patienceMs?: number
  /** Bytes that no file it writes may pass: the system ends who tries. */
  mostFileBytes?: number | undefined
}

const MOST_BYTES = 256 * 1024 * 1024
/** What is said in place of an answer that is longer. */
export const TOO_MUCH_SAID = `its answer is larger than ${MOST_BYTES / 1024 / 1024} MiB`
/** `ulimit -f` counts in these. */
const BLOCK_BYTES = 512

/** The words before git's own. */
function limited(mostFileBytes: number | undefined): [program: string, ...args: string[]] {
  if (mostFileBytes === undefined) return ['git']
  return ['sh', '-c', 'ulimit -f "$0" && exec git "$@"', String(Math.ceil(mostFileBytes / BLOCK_BYTES))]
}

/** git as the daemon's own user, with these variables alone, and its output as it is. Never throws for how it ends. */
export async function gitBytes(
  variables: Readonly<Record<string, string>>,
  args: readonly string[],
  { input = '', signal, patienceMs = PATIENCE_MS, mostFileBytes }: AskedBytes = {},
): Promise<{ stdout: Buffer; said: string; failed: boolean }> {
  const [program, ...before] = limited(mostFileBytes)
  const result = await execa(program, [...before, ...args], {
    env: variables,
    extendEnv: false,
    reject: false,
    encoding: 'buffer',
    input,
    cwd: '/',
    timeout: patienceMs,
    maxBuffer: MOST_BYTES,
    stripFinalNewline: false,
    ...(signal ? { cancelSignal: signal } : {}),
  })
  const { failed } = result
  const stdout = Buffer.from(result.stdout ?? [])
  if (result.code === 'ENOENT') return { stdout, failed, said: 'git is not installed' }
  if (result.isMaxBuffer) return { stdout: Buffer.alloc(0), failed, said: TOO_MUCH_SAID }
  if (result.timedOut) return { stdout, failed, said: `no end after ${Math.round(patienceMs / 1000)} seconds` }
  return { stdout, failed, said: Buffer.from(result.stderr ?? []).toString('utf8') || (result.shortMessage ?? '') }
}

/** A program that is not git, as the same user: for files that the daemon itself may not reach. */
export function asGitUser(user: GitUser, ...command: string[]): Promise<Answer> {
  return run(user, command, { PATH: user.env.PATH ?? '', LC_ALL: 'C' })
}

interface Place {
  /** Top folder of the working tree. */
  top: string
  /** Of this working tree; the same as `commonDir` unless it is a linked one. */
  gitDir: string
  commonDir: string
  /** Where the folder that was asked about stands below `top`; empty for `top` itself. */
  below: string
}

/** Where the repository around a folder is; null outside one. Reads its configuration, with nothing in it to be run. */
export async function findRepository(directory: string, user: GitUser): Promise<Place | null> {
  const asked = ['--path-format=absolute', '--show-toplevel', '--git-dir', '--git-common-dir', '--show-prefix']
  const found = await run(user, ['git', '-C', directory, 'rev-parse', ...asked], environment(user))
  if (found.failed) return null
  const [top = '', gitDir = '', commonDir = '', below = ''] = found.stdout.split('\n')
  return { top, gitDir, commonDir, below: below.replace(/\/$/, '') }
}

/** Links of our common folder into the real one: what is data. Not its configuration, hooks, attributes and modules. */
const LINKED = ['objects', 'refs', 'packed-refs', 'reftable', 'logs', 'worktrees', 'shallow']

/** Settings without which a repository is read wrongly, and the values they may have. */
const HARMLESS: Readonly<Record<string, RegExp>> = {
  'core.repositoryformatversion': /^[01]$/,
  'core.filemode': /^(true|false)$/,
  'core.symlinks': /^(true|false)$/,
  'core.ignorecase': /^(true|false)$/,
  'core.precomposeunicode': /^(true|false)$/,
  'core.autocrlf': /^(true|false|input)$/,
  'core.eol': /^(lf|crlf|native)$/,
  'extensions.objectformat': /^(sha1|sha256)$/,
  'extensions.refstorage': /^(files|reftable)$/,
}

/** A repository that git works on with our configuration in place of its own, until `close`. */
export class Repository {
  readonly place: Place
  readonly #user: GitUser
  readonly #shadow: string

  private constructor(place: Place, user: GitUser, shadow: string) {
    this.place = place
    this.#user = user
    this.#shadow = shadow
  }

  /** Null outside a repository. */
  static async open(directory: string, user: GitUser): Promise<Repository | null> {
    const place = await findRepository(directory, user)
    if (place === null) return null
    const shadow = await mkdtemp(join(tmpdir(), 'svc-git-'))
    const repository = new Repository(place, user, shadow)
    try {
      await repository.#fill()
      return repository
    } catch (error) {
      await repository.close()
      throw error
    }
  }

  /** git on the repository as a whole: its refs and worktrees. */
  git(...args: string[]): Promise<Answer> {
    return run(this.#user, ['git', '-C', this.place.commonDir, ...args], {
      ...environment(this.#user),
      GIT_DIR: this.#shadow,
      GIT_COMMON_DIR: this.#shadow,
    })
  }

  /** git in a linked working tree, whose own folder of git's is `gitDir`; `index` is a file in place of its index. */
  gitIn(tree: { top: string; gitDir: string; index?: string }, ...args: string[]): Promise<Answer> {
    return run(this.#user, ['git', '-C', tree.top, ...args], {
      ...environment(this.#user),
      GIT_DIR: tree.gitDir,
      GIT_WORK_TREE: tree.top,
      ...(tree.index ? { GIT_INDEX_FILE: tree.index } : {}),
      GIT_COMMON_DIR: this.#shadow,
    })
  }

  async close(): Promise<void> {
    await rm(this.#shadow, { recursive: true, force: true })
  }

  async #fill(): Promise<void> {
    const { commonDir } = this.place
    // The other user reads here and never writes; what it writes is behind the links.
    if (this.#user.prefix?.length) await chmod(this.#shadow, 0o755)
    const [config, head] = await Promise.all([this.#harmlessConfig(), this.#head()])
    await asGitUser(this.#user, 'mkdir', '-p', '--', join(commonDir, 'worktrees'))
    await Promise.all([
      writeFile(join(this.#shadow, 'config'), config),
      writeFile(join(this.#shadow, 'HEAD'), `${head}\n`),
      ...LINKED.map((name) => symlink(join(commonDir, name), join(this.#shadow, name))),
      mkdir(join(this.#shadow, 'info')).then(() =>
        symlink(join(commonDir, 'info', 'exclude'), join(this.#shadow, 'info', 'exclude')),
      ),
    ])
  }

  /** The branch, or the commit where there is none. */
  async #head(): Promise<string> {
    const asked = (...args: string[]) =>
      run(this.#user, ['git', '-C', this.place.top, ...args], environment(this.#user))
    const branch = await asked('symbolic-ref', '-q', 'HEAD')
    return branch.failed ? (await asked('rev-parse', '--verify', '-q', 'HEAD')).stdout : `ref: ${branch.stdout}`
  }

  /** Read as a file, without what it includes. */
  async #harmlessConfig(): Promise<string> {
    const file = join(this.place.commonDir, 'config')
    const list = ['git', 'config', '--file', file, '--no-includes', '--null', '--list']
    const { stdout } = await run(this.#user, list, { ...environment(this.#user), GIT_DIR: NOTHING })
    const values = new Map<string, string>()
    for (const entry of stdout.split('\0')) {
      const [key = '', value = ''] = entry.split('\n')
      if (HARMLESS[key]?.test(value)) values.set(key, value)
    }
    if (!values.has('core.repositoryformatversion')) values.set('core.repositoryformatversion', '0')
    return [...values]
      .map(([key, value]) => `[${dirname(key.replace('.', '/'))}]\n${basename(key.replace('.', '/'))} = ${value}\n`)
      .join('')
  }
}
