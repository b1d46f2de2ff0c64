// Repositories behind a real ssh server.
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Mirror } from '../../../platform/git/mirror.ts'
import type { GitCredentials } from '../../../platform/git/credentials.ts'
import { Origin } from './origin.ts'
import { keyPair, Sshd, SSHD_MISSING, WITHOUT_SSHD } from './sshd.ts'

async function serving() {
  const origin = new Origin()
  const commit = origin.commit({ 'manifests/a.yml': 'name: a\n', 'big.bin': Buffer.alloc(300_000) })
  const key = keyPair(origin.home, 'reader')
  const server = await Sshd.start(origin.home, key)
  const mirror = (credentials: GitCredentials, url = server.url(origin.folder)) =>
    new Mirror({ env: process.env, home: origin.home, credentials, folder: join(origin.home, 'mirror.git'), url })
  return { origin, commit, key, server, mirror }
}

test('reads a repository with the configured key and known hosts', async ({ skip }) => {
  skip(SSHD_MISSING, WITHOUT_SSHD)
  const { commit, key, server, mirror } = await serving()
  const reading = mirror({ sshKeyFile: key, knownHostsFile: server.knownHosts("known 'hosts") })
  expect(await reading.resolve({ name: 'main' })).toBe(commit)
  await reading.fetch(commit)
  const tree = (await reading.tree(commit, 'manifests'))!
  const { oid } = (await reading.files(tree))[0]!
  await reading.need({ commit, tree }, [oid], 1000)
  expect((await reading.blobs([oid], 100)).get(oid)).toEqual(Buffer.from('name: a\n'))
})

test('refuses an unknown host key and does not store it', async ({ skip }) => {
  skip(SSHD_MISSING, WITHOUT_SSHD)
  const { origin, key, server, mirror } = await serving()
  const knownHostsFile = join(origin.home, 'nobody')
  writeFileSync(knownHostsFile, '')
  for (let time = 0; time < 2; time++)
    await expect(mirror({ sshKeyFile: key, knownHostsFile }).resolve({})).rejects.toThrow(
      `${server.url(origin.folder)} cannot be queried: the key of host [127.0.0.1]:${server.port} is not known: ` +
        `compare it with the one its operator publishes and add it to ${knownHostsFile} ` +
        `(ssh-keyscan -p ${server.port} 127.0.0.1 shows it), or name another file under credentials: { known_hosts_file: FILE }`,
    )
  // The remedy works.
  const scanned = execFileSync('ssh-keyscan', ['-p', String(server.port), '127.0.0.1'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  writeFileSync(knownHostsFile, scanned)
  expect(await mirror({ sshKeyFile: key, knownHostsFile }).resolve({})).toBe(origin.git('rev-parse', 'HEAD'))
})

test('refuses a host whose key has changed', async ({ skip }) => {
  skip(SSHD_MISSING, WITHOUT_SSHD)
  const { origin, key, server, mirror } = await serving()
  const knownHostsFile = server.knownHosts('stale', keyPair(origin.home, 'other-host'))
  await expect(mirror({ sshKeyFile: key, knownHostsFile }).resolve({})).rejects.toThrow(
    /host \[127\.0\.0\.1\]:\d+ presents a different key than .*stale has for it, so the connection was refused: .*ssh-keygen -R "\[127/,
  )
  execFileSync('ssh-keygen', ['-R', `[127.0.0.1]:${server.port}`, '-f', knownHostsFile], { stdio: 'ignore' })
  await expect(mirror({ sshKeyFile: key, knownHostsFile }).resolve({})).rejects.toThrow('is not known: compare it')
})

test('names a rejected or unusable key without its content', async ({ skip }) => {
  skip(SSHD_MISSING, WITHOUT_SSHD)
  const { origin, commit, key, server, mirror } = await serving()
  const knownHostsFile = server.knownHosts('known')
  const open = join(origin.home, 'open-key')
  copyFileSync(key, open)
  chmodSync(open, 0o644)
  const garbage = join(origin.home, 'garbage')
  writeFileSync(garbage, 'planted-no-key\n', { mode: 0o600 })
  for (const [sshKeyFile, why] of [
    [
      keyPair(origin.home, 'wrong'),
      /\d rejects the key .*wrong for \w+: add its public key there with read access, or name another key without a passphrase under credentials: \{ ssh_key_file: FILE \}$/,
    ],
    [
      keyPair(origin.home, 'locked', 'planted-passphrase'),
      /locked for \w+: .* name another key without a passphrase under/,
    ],
    [open, /ssh refuses .*open-key, which others can read: chmod 600 it/],
    [garbage, /garbage.*: name a private key without a passphrase/],
  ] as const) {
    const asked = mirror({ sshKeyFile, knownHostsFile }).resolve({})
    await expect(asked).rejects.toThrow(why)
    await expect(asked).rejects.not.toThrow(/planted|PRIVATE KEY/)
  }
  expect(await mirror({ sshKeyFile: key, knownHostsFile }).resolve({})).toBe(commit)
  const none = mirror({ sshKeyFile: key, knownHostsFile }, server.url('/nowhere/team.git'))
  await expect(none.resolve({})).rejects.toThrow(/nowhere\/team.git' does not appear to be a git repository/)
})
