import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import type { Mirror } from './mirror.ts'

export interface Signers {
  /** `<principal> <key>` per line. */
  allowedSigners?: string
  /** GPG public keys. */
  keyring?: string
}

/** Returns why the commit is refused, or null for a valid signature. `env` locates gpg. */
export async function signatureFault(
  mirror: Mirror,
  commit: string,
  signers: Signers,
  { PATH = '' }: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  const home = await mkdtemp(join(tmpdir(), 'svc-signers-'))
  try {
    const variables = { GNUPGHOME: home }
    if (signers.keyring !== undefined) {
      const args = ['--batch', '--quiet', '--no-autostart', '--homedir', home, '--import', '--', signers.keyring]
      const taken = await execa('gpg', args, {
        reject: false,
        stdin: 'ignore',
        timeout: GPG_MS,
        extendEnv: false,
        env: { PATH, LC_ALL: 'C' },
      })
      if (taken.failed) return `the keys of ${signers.keyring} cannot be read: ${taken.shortMessage ?? ''}`
    }
    const gpg = signers.keyring === undefined ? 'false' : 'gpg'
    const allowed = signers.allowedSigners ?? '/dev/null'
    const config = ['-c', `gpg.program=${gpg}`, '-c', `gpg.ssh.allowedSignersFile=${allowed}`]
    const verified = await mirror.git([...config, 'verify-commit', commit], { variables })
    return verified.failed ? `it has no valid signature of an allowed signer${said(verified.why)}` : null
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

const GPG_MS = 30_000

const said = (why: string): string => (why === '' ? '' : ` (${why})`)
