// Where the files of a folder source are, links resolved: agents must not write there.
import { dirname, join, relative } from 'node:path'
import { isWithin } from '../../../platform/files/within.ts'
import { realOrNull, statOrNull } from '../text-files.ts'
import type { ReadPlace } from '../desired-state.ts'
import { isHidden, isManifest } from './folder-listings.ts'
import type { FolderScan } from './folder-scan.ts'

/** Without a scan, every folder counts as one that contains manifests. */
export function readPlaces(root: string, scan: FolderScan | null): ReadPlace[] {
  if (!scan) {
    const real = realOrNull(root)
    return real === null ? [] : [{ ...placeOf(real), holds: () => true }]
  }
  const links = [...scan.places].filter(([, { isLink }]) => isLink).map(([path]) => path)
  const below = (link: string) =>
    scan.files.flatMap(({ path }) => (isWithin(path, link) ? [path.slice(link.length + 1)] : []))
  const targets = links.flatMap((link): ReadPlace[] => {
    const real = realOrNull(join(scan.root, link))
    if (real === null) return []
    return statOrNull(real)?.isDirectory() ? [folderPlace(real, below(link))] : [{ root: real }]
  })
  const all = scan.files.map(({ path }) => path)
  return [folderPlace(scan.root, all), ...targets]
}

const placeOf = (root: string): ReadPlace => ({
  root,
  reads: (path) => path !== root && isWithin(path, root) && isManifest(path) && !isHidden(relative(root, path)),
})

/** `files`: relative paths. */
function folderPlace(root: string, files: readonly string[]): ReadPlace {
  const folders = new Set<string>()
  for (const file of files) for (let at = dirname(join(root, file)); !folders.has(at); at = dirname(at)) folders.add(at)
  return { ...placeOf(root), holds: (folder) => folder === root || folders.has(folder) }
}
