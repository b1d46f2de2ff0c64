// Finds a Chromium on this machine.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

type Environment = Readonly<Record<string, string | undefined>>

/** Path of SVC_CHROMIUM, else of the first known program on the PATH. Throws if there is none. */
export function findChromium({ SVC_CHROMIUM: given, PATH = '' }: Environment): string {
  if (given) {
    if (existsSync(given)) return given
    throw new Error(`SVC_CHROMIUM: expected the path of a Chromium; got "${given}"`)
  }
  const folders = PATH.split(delimiter).filter(Boolean)
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync)
  if (found !== undefined) return found
  throw new Error('no Chromium found: run "apt-get install chromium", or set SVC_CHROMIUM to the path of one')
}

/** True if a missing browser skips a test. Continuous integration and `npm run test:web` set SVC_TEST_BROWSER. */
export function maySkip(env: Environment): boolean {
  if (env['SVC_TEST_BROWSER'] || env['SVC_CHROMIUM']) return false
  try {
    findChromium(env)
    return false
  } catch {
    return true
  }
}
