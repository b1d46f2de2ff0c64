// Repositories behind a real server of ssh: what is refused, by it or by us, is said with what to do about it.
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

test('a repository behind ssh is read with the key and the known hosts that are named', async ({ skip }) => {
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

test('a host whose key nobody has looked at is refused, and stays unknown', async ({ skip }) => {
  skip(SSHD_MISSING, WITHOUT_SSHD)
  const { origin, key, server, mirror } = await serving()
  const knownHostsFile = join(origin.home, 'nobody')
  writeFileSync(knownHostsFile, '')
  for (let time = 0; time < 2; time++)
    await expect(mirror({ sshKeyFile: key, knownHostsFile }).resolve({})).rejects.toThrow(
      `${server.url(origin.folder)} cannot be asked: the key of host [127.0.0.1]:${server.port} is not known: ` +
        `compare it with what its operator publishes and add it to ${knownHostsFile} ` +
        `(ssh-keyscan -p ${server.port} 127.0.0.1 shows it), or name another file under credentials: { known_hosts_file: FILE }`,
    )
  // What the remedy says is a remedy.
  const scanned = execFileSync('ssh-keyscan', ['-p', String(server.port), '127.0.0.1'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  writeFileSync(knownHostsFile, scanned)
  expect(await mirror({ sshKeyFile: key, knownHostsFile }).resolve({})).toBe(origin.git('rev-parse', 'HEAD'))
})

test('a host that shows another key than is known is not spoken with', async ({ skip }) => {
  skip(SSHD_MISSING, WITHOUT_SSHD)
  const { origin, key, server, mirror } = await serving()
  const knownHostsFile = server.knownHosts('stale', keyPair(origin.home, 'other-host'))
  await expect(mirror({ sshKeyFile: key, knownHostsFile }).resolve({})).rejects.toThrow(
    /host \[127\.0\.0\.1\]:\d+ shows another key than .*stale has for it, and is not spoken with: .*ssh-keygen -R "\[127/,
  )
  execFileSync('ssh-keygen', ['-R', `[127.0.0.1]:${server.port}`, '-f', knownHostsFile], { stdio: 'ignore' })
  await expect(mirror({ sshKeyFile: key, knownHostsFile }).resolve({})).rejects.toThrow('is not known: compare it')
})

test('a key that the host does not take, or that cannot be used, is named; no key is shown', async ({ skip }) => {
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
      /\d takes not the key .*wrong for \w+: add its public half there as one that may read, or name another without a passphrase under credentials: \{ ssh_key_file: FILE \}$/,
    ],
    [
      keyPair(origin.home, 'locked', 'planted-passphrase'),
      /locked for \w+: .* name another without a passphrase under/,
    ],
    [open, /ssh does not use .*open-key that others may read: chmod 600 it/],
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
