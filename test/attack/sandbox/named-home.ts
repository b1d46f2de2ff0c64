// Gives a system user a home directory, for one daemon: the user that owns nothing has none, and a sandbox needs one.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

export const NOBODY = 65_534

export interface NamedHome {
  /** PATH of the daemon. */
  path: string
  remove(): void
}

export function homeOf(name: string, uid: number, home: string): NamedHome {
  const folder = mkdtempSync(join(tmpdir(), 'svc-programs-'))
  const program = join(folder, 'getent')
  writeFileSync(program, `#!/bin/sh\necho '${name}:x:${uid}:${uid}::${home}:/bin/sh'\n`)
  for (const path of [folder, program]) chmodSync(path, 0o755)
  return {
    path: `${folder}${delimiter}${process.env.PATH}`,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
