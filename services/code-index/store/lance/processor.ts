// Checks for AVX2: without it, LanceDB crashes its process without a message.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface Machine {
  platform: string
  arch: string
  /** CPU features as the system lists them. */
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

/** Returns why LanceDB cannot run; null if it can. */
export function whyNotHere({ platform, arch, flags }: Machine): string | null {
  // Other platforms have separate builds without AVX2.
  if (arch !== 'x64' || platform === 'win32') return null
  try {
    return /\bavx2\b/i.test(flags()) ? null : 'the processor has no AVX2'
  } catch (error) {
    return `cannot determine whether the processor has AVX2: ${(error as Error).message}`
  }
}
