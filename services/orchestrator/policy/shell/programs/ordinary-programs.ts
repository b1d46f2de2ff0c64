// Programs whose words are never commands, beyond what is known of their options elsewhere.
import { wordSet } from '../word-list.ts'

const GROUPS = {
  shell:
    'cd pwd pushd popd dirs echo printf true false : [ test let read export unset declare typeset local readonly set shopt shift return exit break continue wait jobs fg bg kill umask ulimit type which whereis hash alias unalias trap eval history getopts times',
  files:
    'ls dir cat tac head tail less more wc sort uniq cut paste tr nl od xxd hexdump file stat touch mkdir rmdir rm cp mv ln chmod chown chgrp du df find locate tree basename dirname realpath readlink mktemp tee truncate shred cmp diff diff3 comm patch split csplit join fold fmt expand column rev seq shuf md5sum sha1sum sha256sum sha512sum b2sum cksum sum base64 base32 strings install sync dd',
  text: 'grep egrep fgrep rg ag ack sed awk gawk mawk nawk jq yq xmllint fd fdfind bat',
  system:
    'date cal uname hostname whoami id groups users who w uptime free ps pgrep pidof top htop lsof netstat ss ip ifconfig ping dig nslookup host env printenv locale nproc lscpu lsblk mount umount tty stty sleep yes clear tput getent man info',
  archives: 'tar gzip gunzip zcat bzip2 bunzip2 xz unxz zip unzip zstd 7z',
  network: 'curl wget ssh scp rsync',
  development:
    'git npm npx pnpm yarn node python python3 pip pip3 make cargo rustc rustup go gofmt javac java mvn gradle tsc eslint prettier vitest jest pytest ruff mypy black oxlint oxfmt gcc g++ clang cmake ninja ruby bundle gem php composer docker kubectl helm terraform gh',
}

export const ORDINARY: ReadonlySet<string> = wordSet(Object.values(GROUPS).join(' '))

/** Their words are no commands either. An allow list takes them for words of the program that starts them. */
export const BUILD_TOOLS: ReadonlySet<string> = wordSet(
  'dotnet golangci-lint gradlew mvnw ng playwright rspec xcodebuild',
)
