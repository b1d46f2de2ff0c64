import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { acceptChange } from '../../../controller/reading/manifest-edit.ts'
import { config } from '../../settings.ts'
import { findKind, kinds } from '../../../schemas/kinds.ts'
import type { Acceptance } from '../../../schemas/resource.ts'
import { appliedPath } from '../../../schemas/sync/applied-source.ts'
import { shellWord } from '../../../platform/core/shell-word.ts'
import { typed } from '../../command-line.ts'
import { connectController } from '../../controller-client.ts'
import { Failure, misuse } from '../../failure.ts'
import { isData, resourceId, withDaemon, withExamples, type DaemonOptions } from '../../options.ts'
import { printData } from '../../output/data.ts'
import { note, print, visible } from '../../output/print.ts'

interface AcceptOptions extends DaemonOptions {
  write?: boolean
  branch?: string
  push?: boolean
}

export function defineAccept(command: Command): void {
  withExamples(
    withDaemon(
      command
        .argument('<resource>', 'KIND/NAME')
        .option('--write', 'Write the change to the file, if the source is a folder')
        .option('--branch <name>', 'Commit the change on a new branch, if the source is a repository')
        .option('--push', 'Push the branch'),
    ),
    'svc drift accept agents/planner',
    'svc drift accept agents/planner --write',
    'svc drift accept agents/planner --branch NAME --push',
  ).action(acceptDrift)
}

async function acceptDrift(resource: string, options: AcceptOptions): Promise<void> {
  const { write, branch, push } = options
  if (push && branch === undefined) throw misuse('--push needs a branch', 'name it with --branch NAME')
  if (write && branch !== undefined)
    throw misuse('--write and --branch are mutually exclusive', 'use --write for a folder, --branch for a repository')
  const acceptance = await connectController(options).acceptDrift({ params: resourceId(resource) })
  refuseOther(acceptance, options)
  if (isData(options)) await printData(acceptance, options)
  else print(diffText(acceptance))
  if (write) await writeChange(acceptance)
  else if (branch !== undefined) await commitChange(acceptance, { branch, push })
  else if (!isData(options)) noteNext(acceptance)
}

/** The option must fit the source. */
function refuseOther({ origin, source }: Acceptance, { write, branch }: AcceptOptions): void {
  if (write && origin)
    throw misuse(
      `source ${source} is read from the commits of ${origin.url}, so no file can be written`,
      'commit the change on a branch with --branch NAME, or apply the patch that the command prints without options',
    )
  if (branch !== undefined && !origin)
    throw misuse(`source ${source} is a folder, not a git source`, 'write the change to its file with --write')
}

/** `git apply` reads it from a pipe, so nothing is escaped there. */
function diffText({ diff, origin }: Acceptance): string {
  if (origin) return process.stdout.isTTY ? visible(diff) : diff
  return visible(diff).trimEnd()
}

function noteNext({ kind, name, origin, redacted }: Acceptance): void {
  const id = `${kind}/${name}`
  if (!origin) return note(`apply this change with: ${typed`svc drift accept ${id} --write`}`)
  if (redacted)
    return note(
      `git apply refuses this patch, because its lines contain secrets, which are redacted; commit the change with: ${typed`svc drift accept ${id} --branch NAME`}`,
    )
  note(
    `apply this patch in a clone of ${visible(origin.url)} with git apply, or commit it with: ${typed`svc drift accept ${id} --branch NAME`}`,
  )
}

function editOf({ kind, name, changes }: Acceptance): (text: string) => string {
  const target = { definition: findKind(kind, kinds)!, name }
  return (text) =>
    changes.reduce((before, { path, value }) => acceptChange(before, target, path, value ?? undefined), text)
}

/** Edits the file with the caller's permissions; the daemon only computes the change. */
async function writeChange(acceptance: Acceptance): Promise<void> {
  const { location, file, source } = acceptance
  const path = join(location, file)
  try {
    const { mode } = await stat(path)
    const beside = `${path}.${process.pid}.tmp`
    await writeFile(beside, editOf(acceptance)(await readFile(path, 'utf8')), { mode })
    await rename(beside, path)
  } catch (error) {
    throw new Failure(`cannot change the manifest: ${(error as Error).message}`, {
      where: path,
      hint: 'make the shown change by hand on the machine that has the file',
      cause: error,
    })
  }
  note(`changed ${path}`)
  const applied = appliedPath(source)
  if (applied !== null) note(`apply it with: ${typed`agent apply ${applied}`}`)
}

async function commitChange(
  acceptance: Acceptance,
  { branch, push }: Pick<AcceptOptions, 'push'> & { branch: string },
): Promise<void> {
  const { kind, name, changes } = acceptance
  const { url, revision, file } = acceptance.origin!
  const { BranchError, commitOnBranch, pushBranch } = await import('../../../platform/git/branch-commit.ts')
  const message = `Accept drift of ${kind}/${name}\n\nChanged fields: ${changes.map(({ path }) => path).join(', ')}`
  try {
    const [edit, { env }] = [editOf(acceptance), config()]
    const { clone, commit } = await commitOnBranch({ url, revision, file, branch, message, edit, env })
    if (push) await pushBranch({ clone, branch, env })
    const made = `committed ${commit.slice(0, 12)} on branch ${branch}`
    if (push) return note(`${made} and pushed it to ${visible(url)}: merge it to end the drift`)
    note(`${made} in ${clone}`)
    note(`push it with: git -C ${shellWord(clone)} push origin ${shellWord(branch)}`)
  } catch (error) {
    if (!(error instanceof BranchError)) throw error
    throw new Failure(visible(error.message), { where: url, hint: error.hint, cause: error })
  }
}
