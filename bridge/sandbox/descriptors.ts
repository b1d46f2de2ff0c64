import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { LaunchFault } from '../launch-file.ts'

const FOLDER = '/proc/self/fd'
const CLOSE_ON_EXEC = 0o2000000

/** A pipe leads to a process, not to files. */
const HARMLESS = /^(pipe|anon_inode):/

/** Descriptors above 2 that a program would inherit, with their targets. Node opens its own with close-on-exec. */
function inheritedDescriptors(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => Number(name) > 2)
    .flatMap((name) => {
      try {
        const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`${FOLDER}info/${name}`, 'utf8'))?.[1] ?? '0'
        const target = readlinkSync(`${FOLDER}/${name}`)
        return parseInt(flags, 8) & CLOSE_ON_EXEC || HARMLESS.test(target) ? [] : [`${name} (${target})`]
      } catch {
        // Closed meanwhile: the listing has a descriptor of its own.
        return []
      }
    })
}

/** Throws a LaunchFault: an open directory or socket leads out of the sandbox. */
export function refuseInherited(): void {
  const inherited = inheritedDescriptors()
  if (inherited.length === 0) return
  throw new LaunchFault(
    `sandbox-failed: the program would inherit open descriptors from outside the sandbox: ${inherited.join(', ')}`,
    71,
    'start the agent with the orchestrator, which closes them',
  )
}
