// Commits a change of one file on a new branch of a remote repository. Runs in a clone, as the caller and with the
// caller's git configuration: identity, credentials, signing and hooks.
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { shellWord } from '../core/shell-word.ts'
import { gitBytes } from './git.ts'
import { isCommit, objectFormat } from './refs.ts'

export class BranchError extends Error {
  override readonly name = 'BranchError'

  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message)
  }
}

export interface WantedBranch {
  url: string
  /** Commit on which the branch starts. */
  revision: string
  /** Path in the repository. */
  file: string
  branch: string
  message: string
  /** Returns the new text of the file. */
  edit(text: string): string
  /** Environment of the caller. */
  env: Readonly<Record<string, string | undefined>>
}

export interface BranchCommit {
  commit: string
  /** Folder of the clone. */
  clone: string
}

/** Set in hooks of git; they would lead git to another repository than the clone. */
const OF_A_REPOSITORY =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|PREFIX|NAMESPACE|SHALLOW_FILE|GRAFT_FILE)$/
const ADDRESS = /^(https?|ssh|file):\/\//
/** A fetch or a push. */
const PATIENCE_MS = 600_000

type Clone = Pick<BranchCommit, 'clone'> & Pick<WantedBranch, 'env'>
type Said = { stdout: string; said: string; failed: boolean }

async function git({ clone, env }: Clone, ...args: string[]): Promise<Said> {
  const inherited = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || OF_A_REPOSITORY.test(name) ? [] : [[name, value] as const],
  )
  // A daemon elsewhere chooses the address and the path.
  const own = { GIT_ALLOW_PROTOCOL: 'http:https:ssh:file', GIT_LITERAL_PATHSPECS: '1' }
  const variables = { ...Object.fromEntries(inherited), ...own }
  const asked = { patienceMs: PATIENCE_MS }
  const { stdout, said, failed } = await gitBytes(variables, ['-C', clone, ...args], asked)
  const lines = said.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('hint:'))
  return { stdout: stdout.toString('utf8').trim(), said: lines.join('; ') || 'git gives no reason', failed }
}

/** Commits in a new clone, which the caller pushes or keeps. Throws BranchError, and removes the clone then. */
export async function commitOnBranch(wanted: WantedBranch): Promise<BranchCommit> {
  const { url, revision, env } = wanted
  if (!ADDRESS.test(url) || !isCommit(revision))
    throw new BranchError(
      `commit ${revision} of ${url} cannot be cloned: expected a full commit id and an https, ssh or file address`,
      'apply the printed patch in a clone',
    )
  const clone = await realpath(await mkdtemp(join(tmpdir(), 'svc-branch-')))
  try {
    await fillClone({ clone, env }, wanted)
    await editFile(clone, wanted)
    return { clone, commit: await commitFile({ clone, env }, wanted) }
  } catch (error) {
    await rm(clone, { recursive: true, force: true })
    throw error
  }
}

async function fillClone(clone: Clone, { url, revision, branch }: WantedBranch): Promise<void> {
  await needed(git(clone, 'init', '--quiet', `--object-format=${objectFormat(revision)}`), 'git cannot make a clone')
  await needed(git(clone, 'remote', 'add', '--', 'origin', url), 'git cannot make a clone')
  const named = await git(clone, 'check-ref-format', '--branch', branch)
  if (named.failed)
    throw new BranchError(`${JSON.stringify(branch)} is no branch name of git`, 'use a name such as accept-drift')
  const present = await git(clone, 'ls-remote', '--quiet', 'origin', `refs/heads/${branch}`)
  if (present.failed)
    throw new BranchError(
      `${url} cannot be queried: ${present.said}`,
      'check that your own git can reach it (the credentials of the daemon are not used), or apply the printed patch in a clone',
    )
  if (present.stdout !== '')
    throw new BranchError(`branch ${branch} exists in ${url}`, 'use another name, or delete that branch first')
  await needed(
    git(clone, 'fetch', '--quiet', '--no-tags', '--depth=1', 'origin', revision),
    `commit ${revision} cannot be fetched from ${url}`,
  )
  await needed(git(clone, 'checkout', '--quiet', '-b', branch, revision), `commit ${revision} cannot be checked out`)
}

/** A repository may contain links that leave the clone. */
async function editFile(clone: string, { file, revision, edit }: WantedBranch): Promise<void> {
  const path = await realpath(join(clone, file)).catch(() => null)
  if (path === null || !path.startsWith(clone + sep) || path.startsWith(join(clone, '.git') + sep))
    throw new BranchError(`commit ${revision} has no file ${file}`, 'apply the printed patch in a clone')
  await writeFile(path, edit(await readFile(path, 'utf8')))
}

async function commitFile(clone: Clone, { file, message }: WantedBranch): Promise<string> {
  const committed = await git(clone, 'commit', '--quiet', '-m', message, '--', file)
  if (committed.failed) {
    const isUnknown = (await git(clone, 'var', 'GIT_AUTHOR_IDENT')).failed
    const hint = isUnknown
      ? 'set your name and address: git config --global user.name NAME; git config --global user.email ADDRESS'
      : 'resolve what git reports, or apply the printed patch in a clone'
    throw new BranchError(`git cannot commit the change: ${committed.said}`, hint)
  }
  return (await git(clone, 'rev-parse', 'HEAD')).stdout
}

/** Pushes the new branch and removes the clone. Throws BranchError, and keeps the clone then. */
export async function pushBranch({ branch, ...place }: Clone & { branch: string }): Promise<void> {
  const { clone } = place
  const pushed = await git(place, 'push', '--quiet', 'origin', `refs/heads/${branch}`)
  if (pushed.failed)
    throw new BranchError(
      `branch ${branch} cannot be pushed: ${pushed.said}`,
      `the commit is kept: push it with git -C ${shellWord(clone)} push origin ${shellWord(branch)}`,
    )
  await rm(clone, { recursive: true, force: true })
}

async function needed(asked: ReturnType<typeof git>, what: string): Promise<void> {
  const { failed, said } = await asked
  if (failed) throw new BranchError(`${what}: ${said}`, 'apply the printed patch in a clone')
}
