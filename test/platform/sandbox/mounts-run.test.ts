// Plans in the real bubblewrap.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { users } from './enclosure.ts'
import { visibleFolder } from './visible-folder.ts'
import { World } from './world.ts'

describe.each(users)('a program of $user', ({ uid }) => {
  const folder = visibleFolder()
  afterAll(() => folder.remove())
  const world = new World(folder.path, uid)
  const { home, work, own, data } = world
  const run = world.run.bind(world)

  test('cannot read what is closed or hidden', () => {
    const paths = ['.ssh/id', '.netrc', 'data/key', 'data/checkouts/default/a.txt', 'work/src/deep/word']
    const script = paths.map((path) => `cat ${home}/${path}; ls ${home}/${path}`).join('; ')
    const { output } = run(`${script}; ls ${home}/.ssh ${home}/data; cat /etc/shadow`, { hide: [`${work}/src/deep`] })
    expect(output).not.toMatch(/the-secret|root:/)
    expect(output.match(/Permission denied/g)?.length).toBeGreaterThan(paths.length)
  })

  test('can write its folders only', () => {
    const before = world.digest()
    const paths = [`${home}/x`, `${home}/outside/c`, '/etc/x', '/usr/x', '/x', `${work}/manifests/agents/a.yml`]
    for (const path of paths) expect([path, run(`echo x > ${path}`).status]).not.toEqual([path, 0])
    for (const path of [`${home}/.ssh`, data, `${work}/manifests`])
      for (const script of [
        `mv ${path} ${path}2`,
        `rm -r ${path}`,
        `rmdir ${path}`,
        `touch ${path}/x`,
        `chmod 777 ${path}`,
      ])
        expect([script, run(script).status]).not.toEqual([script, 0])
    expect(world.digest()).toBe(before)
    expect(run('echo x > new && cat new && rm new && mkdir d && rmdir d').output).toBe('x\n')
    expect(world.digest()).toBe(before)
  })

  test('leaves the host without a trace of what is protected and missing', () => {
    const before = world.digest()
    expect(run(`ls ${work}/missing.yaml ${work}/missing-key ${home}/.aws; true`).status).toBe(0)
    expect(world.digest()).toBe(before)
  })

  test('has a temporary folder of its own, on disk', () => {
    const outside = join(tmpdir(), `svc-sandbox-test-${process.pid}`)
    writeFileSync(outside, 'the-secret')
    try {
      const { output } = run(`cat ${outside}; ls -A /run; echo kept > /tmp/inside; cat /var/tmp/inside`)
      expect(output).toContain('kept')
      expect(output).not.toContain('the-secret')
      expect(existsSync('/tmp/inside')).toBe(false)
      expect(readFileSync(join(folder.path, 'scratch', 'tmp', 'inside'), 'utf8')).toBe('kept\n')
    } finally {
      rmSync(outside)
    }
  })

  test('sees only the system and its paths with a list of readable paths', () => {
    const script = `cat ${home}/outside/c; ls ${home}/work ${home}; cat ${home}/.gitconfig ${home}/.ssh/id; mkdir /new; cat /etc/shadow; git --version; getent hosts localhost`
    const { output } = run(script, { read: [join(home, 'outside')] })
    expect(output).toMatch(/^c/)
    expect(output).toContain('manifests')
    expect(output).toContain('git version')
    expect(output).toMatch(/mkdir: .*Read-only file system/)
    expect(output).not.toMatch(/the-secret|example\.org|root:/)
  })

  describe('in a main checkout', () => {
    test('can commit', () => {
      const { status, output } = run(
        'echo n > n && git add n && git commit -qm n && git branch b && git branch -d b && git gc -q',
      )
      expect({ status, output }).toMatchObject({ status: 0 })
    })

    test('cannot replace hooks or settings', () => {
      const before = readFileSync(join(work, '.git', 'config'), 'utf8')
      for (const script of [
        'echo x > .git/hooks/pre-commit',
        'echo x >> .git/config',
        'git config core.fsmonitor x',
        'mv .git .git2',
        'mv .git/hooks .git/h && mkdir .git/hooks',
        'rm -rf .git/config',
        'mv ../work ../work2',
      ])
        expect([script, run(script).status]).not.toEqual([script, 0])
      expect(readFileSync(join(work, '.git', 'config'), 'utf8')).toBe(before)
      expect(existsSync(join(work, '.git', 'hooks', 'pre-commit'))).toBe(false)
    })

    test('can link and rename across folders that are pinned', () => {
      const script =
        'ln src/main.ts .git/linked && ln .git/linked other/linked && rm .git/linked && mv other/linked src/moved'
      expect(run(script, { hide: [`${work}/src/deep`] })).toEqual({ status: 0, output: '' })
      expect(readFileSync(join(work, 'src', 'moved'), 'utf8')).toBe('export {}')
    })
  })

  describe('in a linked worktree in the data directory', () => {
    test('can use git', () => {
      const script = `set -e; git status -s; echo n > n; git add n; git commit -qm n; git switch -qc other; echo m >> n
        git stash -q; git stash pop -q; git commit -qam m; git commit -q --amend -m l; git switch -q one; git merge -q other
        git tag t; git switch -qc third HEAD~1; echo o > o; git add o; git commit -qm o; git rebase -q other; git log --oneline | wc -l; pwd -P`
      const { status, output } = world.runLinked(script)
      expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining(`4\n${own}\n`) })
    })

    test('cannot see other worktrees, or the key', () => {
      const { output } = world.runLinked(
        `cat ${data}/key; ls ${data} ; ls ${data}/worktrees ${data}/worktrees/two; ls ${data}/checkouts/default`,
      )
      expect(output).toContain('one')
      expect(output).toContain(`${data}/worktrees/two': No such file`)
      expect(output).toMatch(/cannot open directory '\S+data': Permission denied/)
      expect(output).not.toMatch(/the-secret|a\.txt/)
    })

    test('cannot change settings, hooks or the place of its repository', () => {
      const before = world.digest()
      const common = join(data, 'checkouts', 'default', '.git')
      for (const script of [
        'git config core.fsmonitor x',
        `echo x > ${common}/hooks/pre-commit`,
        `echo x > ${common}/commondir`,
        `echo x > ${common}/worktrees/one/commondir`,
        `mv ${common}/worktrees/one ${common}/worktrees/three`,
        `rm ${common}/worktrees/one/gitdir`,
        'echo "gitdir: /x" > .git',
        'mv .git .git2',
        `chmod 777 ${data} && mkdir ${data}/x`,
      ])
        expect([script, world.runLinked(script).status]).not.toEqual([script, 0])
      expect(world.digest()).toBe(before)
    })
  })

  test('cannot leave the checkout of a source, neither by a path nor by a link', () => {
    const links = `ln -s ../../key up; ln -s ${data}/key absolute; ln -s ../.. data; ln -s ../../worktrees others`
    const reads = `cat up absolute data/key ../../key ../default/../../key others/one/a.txt; ls others data/sources`
    const writes = 'echo x > ../../new; echo x > ../new; echo x > data/new; mv ../default ../moved'
    const { output } = world.runInCheckout(
      `cat a.txt; echo mine > mine; ${links}; ${reads}; ${writes}; rm up absolute data others`,
    )
    expect(output).toMatch(/^a/)
    expect(output).not.toMatch(/the-secret|^one$/m)
    const checkout = join(data, 'checkouts', 'default')
    expect(readdirSync(data).sort()).toEqual(['checkouts', 'key', 'worktrees'])
    expect([readdirSync(join(data, 'checkouts')), readFileSync(join(checkout, 'mine'), 'utf8')]).toEqual([
      ['default'],
      'mine\n',
    ])
    rmSync(join(checkout, 'mine'))
  })

  describe('sockets of the host', () => {
    let server: Server
    const path = join(home, 'outside', 's')
    const dial = (name: string) =>
      `perl -MIO::Socket::UNIX -e 'print IO::Socket::UNIX->new(Peer => "${name}") ? "connected" : "$!"'`
    beforeAll(async () => {
      server = createServer()
      await new Promise<void>((resolve) => server.listen({ path, readableAll: true, writableAll: true }, resolve))
    })
    afterAll(() => server.close())

    test('are out of reach, though their folder can be read', () => {
      expect(run(dial(path)).output).toBe('Permission denied')
    })

    test('can be opened by name', () => {
      expect(run(dial(path), { sockets: [path] }).output).toBe('connected')
    })

    test('in writable folders can be used', () => {
      expect(run(dial(path), { write: [work, join(home, 'outside')] }).output).toBe('connected')
    })
  })
})
