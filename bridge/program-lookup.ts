import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { LaunchFault } from './launch-file.ts'

type Found = 'program' | 'other' | 'nothing'

function kindOf(path: string): Found {
  try {
    // PATH of another user may name folders that this one cannot enter.
    if (!statSync(path).isFile()) return 'nothing'
  } catch {
    return 'nothing'
  }
  try {
    accessSync(path, constants.X_OK)
    return 'program'
  } catch {
    return 'other'
  }
}

export function notInstalled(program: string): LaunchFault {
  return new LaunchFault(
    `program "${program}" is not installed, or not on PATH`,
    127,
    'install it, or name its full path in the agent’s command',
  )
}

export function notExecutable(program: string): LaunchFault {
  return new LaunchFault(`program "${program}" is not executable`, 126, `make it executable: chmod +x ${program}`)
}

/** Returns an absolute path. Throws a LaunchFault (126, 127) as a shell does. Names with a slash are of `directory`. */
export function findProgram(program: string, directory: string, path: string | undefined): string {
  const candidates = program.includes('/')
    ? [resolve(directory, program)]
    : (path ?? '/usr/bin:/bin').split(delimiter).map((folder) => join(resolve(directory, folder), program))
  const kinds = candidates.map(kindOf)
  const at = kinds.indexOf('program')
  if (at >= 0) return candidates[at]!
  throw kinds.includes('other') ? notExecutable(program) : notInstalled(program)
}

const SYSTEM_FOLDERS = ['/usr/bin', '/bin', '/usr/local/bin', '/usr/sbin', '/sbin', '/run/current-system/sw/bin']

/** Looks in folders of the system first: an agent may be able to write to others on PATH. Null if there is none. */
export function findSystemProgram(program: string, path: string | undefined): string | null {
  const others = (path ?? '').split(delimiter).filter(isAbsolute)
  const found = [...SYSTEM_FOLDERS, ...others].find((folder) => kindOf(join(folder, program)) === 'program')
  return found === undefined ? null : join(found, program)
}
