import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const RECORD = join(root, 'dist', '.built')
const FOLDERS = [
  'api',
  'bridge',
  'cli',
  'controller',
  'daemon',
  'platform',
  'reconcilers',
  'schemas',
  'scripts',
  'services',
  'web',
]
const SOURCES = [...FOLDERS, 'package.json', 'package-lock.json']

/** `startedAt`: milliseconds since 1970. */
export function recordBuild(startedAt) {
  writeFileSync(RECORD, '')
  utimesSync(RECORD, startedAt / 1000, startedAt / 1000)
}

/** True if dist/ exists and no source has changed since its build began. */
export function isBuildCurrent() {
  if (!existsSync(join(root, 'dist', 'commands.js')) || !existsSync(RECORD)) return false
  const built = statSync(RECORD).mtimeMs
  return SOURCES.every((source) => isOlder(join(root, source), built))
}

/** True if everything at `path` is older than `time` (milliseconds since 1970). A removed file changes its folder. */
export function isOlder(path, time) {
  const facts = statSync(path)
  if (facts.mtimeMs >= time) return false
  return !facts.isDirectory() || readdirSync(path).every((name) => isOlder(join(path, name), time))
}
