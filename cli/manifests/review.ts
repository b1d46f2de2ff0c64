import { realpathSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { gitTop } from '../../controller/reading/folder/git-worktree.ts'
import type { PlanInput } from '../../schemas/plan.ts'
import type { ControllerClient } from '../controller-client.ts'
import { misuse } from '../failure.ts'
import { note } from '../output/print.ts'
import { readManifestSet, type ManifestSet } from './files.ts'
import { namedFiles } from './named-files.ts'
import { appliedPath } from '../../schemas/sync/applied-source.ts'

/** Returns the plan request for a path. With `source`, the folder is the next revision of that source. */
export async function manifestsFor(
  client: ControllerClient,
  path: string,
  source: string | undefined,
): Promise<PlanInput> {
  const set = await readManifestSet(path)
  if (source === undefined) return set
  await client.getSource({ params: { name: source } })
  return asNextRevision(set, path, source)
}

/** Notes that a watched source owns the folder. */
export async function noteOwner(
  client: ControllerClient,
  { root, source }: Pick<PlanInput, 'root' | 'source'>,
): Promise<void> {
  if (root === undefined || source === undefined || appliedPath(source) === null) return
  const place = realPath(root)
  const owner = (await client.listSources()).find(
    ({ name, location }) => appliedPath(name) === null && isAtOrBelow(place, realPath(location)),
  )
  if (owner)
    note(
      `${root} is watched by source "${owner.name}", which owns the resources declared there; plan it as that source with --source ${owner.name}`,
    )
}

function asNextRevision(set: ManifestSet, path: string, source: string): PlanInput {
  if (set.root !== resolve(path))
    throw misuse(`${path} is a single file; a source is planned as a whole`, 'pass the folder of the source')
  const { root } = set
  const tree = gitTop(root) ?? root
  const inTree = (below: string) => isAtOrBelow(resolve(root, below), tree)
  const { texts, directories, unreadable, outside, missing } = namedFiles(set.manifests, root)
  return {
    source,
    manifests: set.manifests,
    texts: texts.filter(({ path: below }) => inTree(below)),
    directories: directories.filter(inTree),
    absent: [...unreadable, ...outside, ...missing].filter(inTree),
  }
}

const isAtOrBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}${sep}`)

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path // path of another machine
  }
}
