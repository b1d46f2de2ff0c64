import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkOut } from '../../../platform/git/checkout.ts'
import { Mirror } from '../../../platform/git/mirror.ts'
import { signatureFault } from '../../../platform/git/commit-signature.ts'
import { Origin } from './origin.ts'

const mirrorOf = (origin: Origin, url = origin.url) =>
  new Mirror({ env: process.env, home: origin.home, credentials: {}, folder: join(origin.home, 'mirror.git'), url })

const objects = (origin: Origin) =>
  execFileSync('git', ['-C', join(origin.home, 'mirror.git'), 'cat-file', '--batch-all-objects', '--batch-check'], {
    encoding: 'utf8',
  })

test.each(['sha1', 'sha256'])('fetches a commit without history and files outside the folder: %s', async (format) => {
  const origin = new Origin(onTestFinished, format)
  const first = origin.commit({ 'manifests/a.yml': 'name: a\n', 'big.bin': Buffer.alloc(3_000_000) })
  const commit = origin.commit({ 'manifests/a.yml': 'name: b\n', 'src/x/y.ts': '' })
  const mirror = mirrorOf(origin)
  expect(await mirror.resolve({})).toBe(commit)
  await mirror.fetch(commit)
  expect([await mirror.has(commit), await mirror.has(first), await mirror.has('a'.repeat(commit.length))]).toEqual([
    true,
    false,
    false,
  ])
  expect(objects(origin)).not.toContain('blob')
  const tree = (await mirror.tree(commit, 'manifests'))!
  const files = await mirror.files(tree)
  expect(files.map(({ mode, path }) => [mode, path.toString()])).toEqual([['100644', 'a.yml']])
  const oids = files.map(({ oid }) => oid)
  await mirror.need({ commit, tree }, oids, 1000)
  expect((await mirror.blobs(oids, 1000)).get(oids[0]!)).toEqual(Buffer.from('name: b\n'))
  expect((await mirror.blobs(oids, 3)).get(oids[0]!)).toBe('too-large')
  expect(objects(origin).match(/blob/g)).toHaveLength(1)
  expect(await mirror.folders(commit)).toEqual(['manifests', 'src', 'src/x'])
  expect([await mirror.tree(commit, 'none'), await mirror.tree(commit, 'big.bin')]).toEqual([null, null])
})

test('resolves branches, tags, ranges and commits among many branches', async () => {
  const origin = new Origin()
  const one = origin.commit({ a: '1' })
  origin.git('tag', 'v1.2.0')
  const two = origin.commit({ a: '2' })
  origin.git('tag', '-a', '-m', 'two', 'v1.10.0')
  const three = origin.commit({ a: '3' })
  origin.git('tag', 'v2.0.0-rc.1')
  origin.git('branch', 'next', one)
  const refs = Array.from({ length: 10_000 }, (_, at) => `${three} refs/heads/b/${at}\n`).join('')
  writeFileSync(join(origin.folder, '.git', 'packed-refs'), `# pack-refs with: peeled fully-peeled sorted \n${refs}`)
  const mirror = mirrorOf(origin)
  expect(await mirror.resolve({ branch: 'next' })).toBe(one)
  expect(await mirror.resolve({ name: 'main' })).toBe(three)
  expect(await mirror.resolve({ name: 'v1.10.0' })).toBe(two)
  expect(await mirror.resolve({ semver: '^1.0.0' })).toBe(two)
  expect(await mirror.resolve({ semver: '<1.5' })).toBe(one)
  expect(await mirror.resolve({ commit: one })).toBe(one)
  await expect(mirror.resolve({ semver: '^2.0.0' })).rejects.toThrow('has no tag in the range ^2.0.0')
  await expect(mirror.resolve({ branch: 'v1.2.0' })).rejects.toThrow('has no branch v1.2.0')
})

test('reports a missing repository and keeps fetched commits', async () => {
  const origin = new Origin()
  const commit = origin.commit({ a: '1' })
  await mirrorOf(origin).fetch(commit)
  const gone = mirrorOf(origin, 'file:///nowhere/team.git')
  await expect(gone.resolve({})).rejects.toThrow(/file:\/\/\/nowhere\/team.git cannot be queried: .*nowhere/)
  expect(await gone.has(commit)).toBe(true)
})

test('names the object formats if a commit and the repository differ', async () => {
  const origin = new Origin(onTestFinished, 'sha256')
  const commit = origin.commit({ a: '' })
  const mirror = mirrorOf(origin)
  const [short, long] = [commit.slice(0, 40), 'b'.repeat(64)]
  await expect(mirror.fetch(short)).rejects.toThrow('40 digits in SHA-1, 64 in SHA-256; write all digits')
  await mirror.fetch(commit)
  await mirror.keep('applied', commit)
  await expect(mirror.fetch(short)).rejects.toThrow(
    `is in sha1 format, and its mirror ${join(origin.home, 'mirror.git')} in sha256: check the digits of ref`,
  )
  await expect(mirror.fetch(long)).rejects.toThrow('not our ref')
  expect(await mirror.kept('applied')).toBe(commit)
})

test.each(['sha1', 'sha256'])('updates a checkout by commit and keeps local changes: %s', async (format) => {
  const origin = new Origin(onTestFinished, format)
  const one = origin.commit({ a: '1', b: '1', 'gone/x': '1' })
  const two = origin.commit({ a: '2', 'gone/x': null })
  const three = origin.commit({ a: '3', b: '3' })
  const mirror = mirrorOf(origin)
  const [folder, index] = [join(origin.home, 'tree'), join(origin.home, 'index')]
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  for (const commit of [one, two, three]) await mirror.fetch(commit)
  expect(await checkOut({ mirror, folder, index }, one)).toBe(null)
  writeFileSync(join(folder, 'b'), 'mine')
  writeFileSync(join(folder, 'new'), 'mine')
  expect(await checkOut({ mirror, folder, index }, two)).toBe(null)
  expect([read('a'), read('b'), read('new'), existsSync(join(folder, 'gone'))]).toEqual(['2', 'mine', 'mine', false])
  expect(await checkOut({ mirror, folder, index }, three)).toMatch(/'b' not uptodate/)
  expect([read('a'), read('b')]).toEqual(['2', 'mine'])
})

test('verifies ssh and GPG signatures of commits', async () => {
  const origin = new Origin()
  const path = (name: string) => join(origin.home, name)
  const unsigned = origin.commit({ a: '1' })
  for (const name of ['mira', 'eve']) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path(name)])
  writeFileSync(path('signers'), `mira@example.org ${readFileSync(path('mira.pub'), 'utf8')}`)
  origin.signs('gpg.format=ssh', `user.signingKey=${path('mira')}`)
  const byMira = origin.commit({ a: '2' })
  origin.signs('gpg.format=ssh', `user.signingKey=${path('eve')}`)
  const byEve = origin.commit({ a: '3' })
  const env = { ...process.env, GNUPGHOME: path('gnupg') }
  execFileSync('mkdir', ['-m', '700', path('gnupg')])
  const key = ['--batch', '--passphrase', '', '--quick-generate-key', 'mira@example.org', 'ed25519', 'sign']
  execFileSync('gpg', key, { env, stdio: 'ignore' })
  execFileSync('gpg', ['--armor', '--output', path('keys.asc'), '--export'], { env, stdio: 'ignore' })
  origin.signs('user.signingKey=mira@example.org')
  const byGpg = origin.commit({ a: '4' })
  execFileSync('gpgconf', ['--kill', 'all'], { env })

  const mirror = mirrorOf(origin)
  for (const commit of [unsigned, byMira, byEve, byGpg]) await mirror.fetch(commit)
  const [ssh, gpg] = [{ allowedSigners: path('signers') }, { keyring: path('keys.asc') }]
  expect(await signatureFault(mirror, byMira, ssh, process.env)).toBe(null)
  expect(await signatureFault(mirror, byGpg, gpg, process.env)).toBe(null)
  expect(await signatureFault(mirror, byGpg, { ...ssh, ...gpg }, process.env)).toBe(null)
  for (const [commit, signers] of [
    [unsigned, { ...ssh, ...gpg }],
    [byEve, ssh],
    [byGpg, ssh],
    [byMira, gpg],
  ] as const)
    expect(await signatureFault(mirror, commit, signers, process.env)).toMatch(/it has no valid signature/)
})

test('sends a password on request and keeps it out of errors', async () => {
  const origin = new Origin()
  const commit = origin.commit({ a: '1' })
  origin.git('update-server-info')
  const password = 'planted-p@ss w0rd'
  const wanted = `Basic ${Buffer.from(`bot:${password}`).toString('base64')}`
  const server = createServer((request, response) => {
    const file = join(origin.folder, '.git', new URL(request.url!, 'http://x').pathname.replace('/team.git/', ''))
    if (request.headers.authorization !== wanted)
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="team"' }).end(String(request.headers.authorization))
    else if (existsSync(file)) response.end(readFileSync(file))
    else response.writeHead(404).end()
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/team.git`
  const mirror = (word: string | undefined, passwordVariable?: string) =>
    new Mirror({
      env: { ...process.env, WORD: word },
      home: origin.home,
      credentials: { username: 'bot', ...(passwordVariable ? { passwordVariable } : {}) },
      folder: join(origin.home, 'mirror.git'),
      url,
    })
  expect(await mirror(password, 'WORD').resolve({})).toBe(commit)
  for (const refused of [mirror('planted-wrong', 'WORD'), mirror(password), mirror(undefined, 'WORD')])
    await expect(refused.resolve({})).rejects.toThrow(/^(?!.*planted)http.*cannot be queried: /)
})

test('does not send a password to a redirect target', async () => {
  const origin = new Origin()
  const seen: (string | undefined)[] = []
  const stranger = createServer((request, response) => {
    seen.push(request.headers.authorization)
    response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="strange"' }).end()
  })
  const elsewhere = () => `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`
  const server = createServer((request, response) =>
    response.writeHead(302, { location: `${elsewhere()}${request.url!}` }).end(),
  )
  for (const each of [stranger, server]) {
    onTestFinished(() => void each.close())
    await once(each.listen(0, '127.0.0.1'), 'listening')
  }
  const mirror = new Mirror({
    env: { ...process.env, WORD: 'planted-word' },
    home: origin.home,
    credentials: { username: 'bot', passwordVariable: 'WORD' },
    folder: join(origin.home, 'mirror.git'),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/team.git`,
  })
  await expect(mirror.resolve({})).rejects.toThrow('cannot be queried')
  expect(seen.length).toBeGreaterThan(0)
  expect(seen.filter((given) => given !== undefined)).toEqual([])
})
