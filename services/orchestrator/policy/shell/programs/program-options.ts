// Options with which programs of every day run a command, hold code, or write a file.

export interface Taken {
  /** Long options, between blanks. */
  long?: string
  /** Letters of short options. */
  short?: string
  /** Words that mean it, whole. */
  words?: RegExp
  /** Words that make it write a file. */
  writes?: RegExp
}

/** Options with which a program runs a command or code, or writes where its entry does not say. */
export const OPTIONS: Record<string, Taken> = {
  tar: {
    long: `
      --to-command --checkpoint-action --use-compress-program --rsh-command --info-script --new-volume-script
      --rmt-command
    `,
    short: 'IF',
  },
  rsync: { long: '--rsh --rsync-path', short: 'e' },
  scp: { words: /^-(S|o|F|D)/ },
  sftp: { words: /^-(S|o|F|D|b)/ },
  sort: { long: '--compress-program', writes: /^(-[a-zA-Z]*o|--o)/ },
  split: { long: '--filter' },
  rg: { long: '--pre --hostname-bin --search-zip' },
  ag: { long: '--pager' },
  ack: { long: '--pager --output --ackrc' },
  fd: { long: '--exec --exec-batch', short: 'xX' },
  fdfind: { long: '--exec --exec-batch', short: 'xX' },
  man: { long: '--pager --html --troff-device --preprocessor --config-file', short: 'PHC' },
  less: { words: /^[-+]/ },
  more: { words: /^\+/ },
  vim: { words: /^(\+|-c|--cmd|-S|-s|-u|-U|-W|-w|--startuptime|-e|-i|-V|-es)/ },
  emacs: { words: /^--?(eval|execute|load|l|f|funcall|script|batch|insert)/ },
  nano: { words: /^(--speller|-s|--rcfile|-f)/ },
  zip: { words: /^(-[a-zA-Z]*T|--unzip-command|--test)/ },
  make: {
    long: '--eval --file --makefile',
    words: /^(SHELL|MAKEFLAGS|\.SHELLFLAGS|CC|CXX|LD|AR|MAKE)=|^-[a-zA-Z]*[fE]|[`;|&$<>]|^[^=]*[:!]=/,
  },
  curl: { long: '--config --engine', words: /^-[a-zA-Z]*K/ },
  wget: { long: '--use-askpass --execute --config', words: /^-[a-zA-Z]*e/ },
  go: { long: '--exec --toolexec --vettool', words: /^-(exec|toolexec|vettool|overlay)/ },
  cargo: { long: '--config' },
  npm: {
    long: `
      --script-shell --shell --node-options --globalconfig --userconfig --prefix --git --editor --viewer --init-module
    `,
  },
  nc: { words: /^-[a-z]*[ec]|^--(exec|sh-exec)/ },
  ncat: { words: /^-[a-z]*[ec]|^--(exec|sh-exec|lua-exec)/ },
  gcc: { words: /^(-wrapper|-fplugin|-B|@)/ },
  pip: { words: /^--(install-option|global-option|build-option|config-settings)/ },
  ctags: { long: '--options' },
  systemctl: { words: /^(edit|link|set-environment|import-environment)$/ },
  bat: { long: '--pager' },
  delta: { long: '--pager' },
  openssl: { words: /^-?(engine|provider|config)$/ },
  tcpdump: { words: /^-[a-z]*z|^--postrotate/ },
  sqlite3: {
    words: /(^|\n)\s*\.(?!(tables|schema|headers|mode|indexes|databases|help|width|dump|quit|exit)\b)|^--?(cmd|init)/,
  },
  install: { long: '--strip-program' },
  mysql: { words: /^(--pager|--init-command)|\\!|^system /i },
  psql: { words: /\\!|\\o|\\g|COPY.*PROGRAM/i },
  kubectl: { words: /^(debug|edit|plugin|attach)$/ },
  screen: { words: /^-(X|d|m|S|c|s|e|dmS)/ },
  gh: { words: /^(alias|extension|ext|codespace|cs)$/ },
  hg: { long: '--config' },
  svn: { long: '--config-option --diff-cmd --editor-cmd' },
  mvn: { words: /^exec:|^-D?exec/ },
  cmake: { words: /^-(P|E|C)$/ },
  apt: { words: /^-o|^--option/ },
  'apt-get': { words: /^-o|^--option/ },
  dpkg: { words: /^--(pre|post)-invoke/ },
  logrotate: { words: /./ },
  pdflatex: { words: /shell-escape|\\write18/ },
  latex: { words: /shell-escape|\\write18/ },
}
