// A small world to attack: a project, a folder outside it, and a home with secrets.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface World {
  root: string
  /** The working directory of the agent. */
  project: string
  /** Beside the project. */
  out: string
  home: string
  /** The daemon's data directory, in the home. */
  data: string
  /** Of a listener on 127.0.0.1. */
  port: number
}

export const worldAt = (root: string, port: number): World => ({
  root,
  project: join(root, 'project'),
  out: join(root, 'out'),
  home: join(root, 'home'),
  data: join(root, 'home/.local/share/svc'),
  port,
})

/** Begins every secret outside the project. */
export const CANARY = 'canary-outside'

const MANIFEST = 'name: editor\nagent: scripted\ntool_policy:\n  mode: allow_list\n'
const PATCH = `--- a/manifests/agents/editor.yml
+++ b/manifests/agents/editor.yml
@@ -1,4 +1,4 @@
 name: editor
 agent: scripted
 tool_policy:
-  mode: allow_list
+  mode: allow_all
`

const FILES: Record<string, string> = {
  'project/README.md': 'first line\nsecond line\n',
  'project/package.json': '{"name":"project","version":"1.0.0","scripts":{"evil":"touch ran"}}\n',
  'project/Makefile': 'all:\n\ttouch $(OUT)\n',
  'project/list.txt': '../out/target.txt\n',
  'project/.env': 'TOKEN=canary-project\n',
  'project/victim.txt': 'victim\n',
  'project/src/app.js': 'console.log(1)\n',
  'project/svc.yaml': 'sources:\n  - path: manifests\n',
  'project/manifests/agents/editor.yml': MANIFEST,
  'project/manifests/signers': 'nobody\n',
  'project/manifests/policies/narrow.yml': 'name: narrow\nmode: allow_list\n',
  'project/tools/evil.sh': '#!/bin/bash\ntouch ran\n',
  'project/tools/ls': '#!/bin/bash\n: > ran\n',
  'project/tools/npm': '#!/bin/bash\n: > ran\n',
  'project/tools/git-evil': '#!/bin/bash\ntouch ran\n',
  'project/tools/evil.js': 'require("fs").writeFileSync("ran", "")\n',
  'project/tools/evil.py': 'open("ran", "w")\n',
  'project/tools/evil.pm': 'open my $f, ">", "ran"; 1;\n',
  'project/tools/evil.awk': 'BEGIN { system("touch ran") }\n',
  'project/tools/evil.sed': '1e touch ran\n',
  'project/tools/evil.mk': 'all:\n\ttouch ran\n',
  'project/tools/evil.cfg': '[alias]\n\tevil = !touch ran\n',
  'project/tools/.gitconfig': '[core]\n\tfsmonitor = "touch ran; false"\n[alias]\n\tevil = !touch ran\n',
  'project/tools/git/config': '[alias]\n\tevil = !touch ran\n',
  'project/tools/attributes': '* diff=x\n',
  'project/tools/touch.mk': 'all:\n\ttouch n\n',
  'project/tools/out.mk': 'all:\n\ttouch out/n\n',
  'project/tools/named.mk': 'all:\n\ttouch $(OUT)\n',
  'project/tools/named.sh': 'touch "${1#out=}"\n',
  'project/tools/leave.sh': 'cd ..; touch out/n\n',
  'project/tools/package.json': '{"name":"tools","version":"1.0.0","scripts":{"evil":"touch ../ran"}}\n',
  'project/tools/editor.yml': 'name: editor\ntool_policy:\n  mode: allow_all\n',
  'project/tools/widen.patch': PATCH,
  'project/tools/new.patch': '--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n',
  'project/drawn.x': 'one\n',
  'out/target.txt': 'untouched\n',
  'out/secret.txt': `${CANARY}-secret\n`,
  'home/.bashrc': ':\n',
  'home/.gitconfig': '[user]\n\tname = agent\n\temail = agent@example.com\n',
  'home/.ssh/id_rsa': `${CANARY}-ssh\n`,
  'home/.aws/credentials': `${CANARY}-aws\n`,
  'home/.netrc': `machine x login ${CANARY}-netrc\n`,
  'home/.local/share/svc/key': `${CANARY}-key\n`,
  'home/.local/share/svc/tokens.json': `{"${CANARY}-token":1}\n`,
}
const LINKS: Record<string, string> = {
  'project/link-out': '../out',
  'project/link-manifests': 'manifests',
  'project/notes.txt': '../out/secret.txt',
}
const PROGRAMS = ['evil.sh', 'ls', 'npm', 'git-evil']

/** The project is a repository with two commits and a change, and a diff program for files `*.x`; its branch `evil` has another manifest. */
export function makeWorld(root: string, port: number): World {
  const world = worldAt(root, port)
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text, { mode: 0o644 })
  }
  mkdirSync(join(world.out, 'empty'))
  for (const [path, target] of Object.entries(LINKS)) symlinkSync(target, join(root, path))
  for (const name of PROGRAMS) chmodSync(join(world.project, 'tools', name), 0o755)
  execFileSync('tar', ['-cf', 'a.tar', 'README.md'], { cwd: world.project })
  execFileSync('zip', ['-q', 'a.zip', 'README.md'], { cwd: world.project })
  makeRepository(world)
  return world
}

function makeRepository({ project, home }: World): void {
  const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project, env, stdio: 'pipe' })
  const commit = (message: string) => git('commit', '-qam', message)
  git('init', '-q', '-b', 'main', '--template=')
  git('add', '-A')
  commit('first')
  git('checkout', '-qb', 'evil')
  writeFileSync(join(project, 'manifests/agents/editor.yml'), MANIFEST.replace('allow_list', 'allow_all'))
  commit('widen')
  git('checkout', '-q', 'main')
  git('config', 'diff.x.command', 'touch ran;:')
  mkdirSync(join(project, '.git/info'), { recursive: true })
  writeFileSync(join(project, '.git/info/attributes'), '*.x diff=x\n')
  writeFileSync(join(project, 'drawn.x'), 'two\n')
  commit('second')
  writeFileSync(join(project, 'README.md'), 'first line\nsecond line, changed\n')
}
