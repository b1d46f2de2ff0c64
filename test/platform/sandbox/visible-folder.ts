// A scratch directory that programs in a sandbox can see: /tmp is another folder there.
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { isReplaced } from '../../../platform/sandbox/system-paths.ts'
import { root } from '../../support/root.ts'

const PLACES = [join(root, 'node_modules', '.cache'), join(homedir(), '.cache'), '/var/lib']

export interface VisibleFolder {
  /** Without links. Every user can enter it. */
  path: string
  remove(): void
}

export function visibleFolder(): VisibleFolder {
  const place = PLACES.find((each) => !isReplaced(each) && isPassable(each))
  if (place === undefined)
    throw new Error(`no folder outside /tmp that all users can enter: tried ${PLACES.join(', ')}`)
  mkdirSync(place, { recursive: true })
  const path = realpathSync(mkdtempSync(join(place, 'svc-sandbox-')))
  chmodSync(path, 0o755)
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Other users can enter each folder on the way that exists. */
function isPassable(folder: string): boolean {
  const above = dirname(folder)
  const stat = statSync(folder, { throwIfNoEntry: false })
  return (stat === undefined || (stat.mode & 0o001) !== 0) && (above === folder || isPassable(above))
}
