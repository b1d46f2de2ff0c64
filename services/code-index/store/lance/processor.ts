// Whether LanceDB can run on this processor: without AVX2 its native code ends the process that loads it, without a word.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface Machine {
  platform: string
  arch: string
  /** What the system tells of its processor. */
  flags(): string
}

export function thisMachine(): Machine {
  const { platform, arch } = process
  const flags = () =>
    platform === 'linux'
      ? readFileSync('/proc/cpuinfo', 'utf8')
      : execFileSync('/usr/sbin/sysctl', ['-n', 'machdep.cpu.leaf7_features'], { encoding: 'utf8' })
  return { platform, arch, flags }
}

/** Null where it can. */
export function whyNotHere({ platform, arch, flags }: Machine): string | null {
  // Others have no such instructions, and builds of their own.
  if (arch !== 'x64' || platform === 'win32') return null
  try {
    return /\bavx2\b/i.test(flags()) ? null : 'the processor has no AVX2'
  } catch (error) {
    return `whether the processor has AVX2 cannot be told: ${(error as Error).message}`
  }
}
