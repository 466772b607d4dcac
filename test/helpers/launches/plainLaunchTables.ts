/** Other spellings of running something else than what is plain. */

type Words = readonly string[];

/** Each option with its value behind a blank, an equals sign and nothing. */
function spelled(before: Words, options: Words, value: string, after: Words): readonly Words[] {
  return options.flatMap((option) => [
    [...before, option, value, ...after],
    [...before, `${option}=${value}`, ...after],
    [...before, `${option}${value}`, ...after],
  ]);
}

function each(before: Words, words: Words, after: Words = []): readonly Words[] {
  return words.map((word) => [...before, word, ...after]);
}

const evil = 'evil-thing';

const npmOptions =
  `-c --call --registry --userconfig --globalconfig --prefix --script-shell --node-options --shell -w
  --workspace --cache --node-arg -n --before --@scope:registry --https-proxy --cafile`.split(/\s+/);
const places =
  `https://evil.example/a.tgz http://evil.example/a git+https://evil.example/a.git git+ssh://git@evil/a
  github:evil/a evil/a gitlab:evil/a gist:0123 file:../a ./a ../a /a ~/a a.tgz a.tar a.tar.gz a@npm:evil a@file:../a
  a@https://evil.example/a.tgz a@github:evil/a a@evil/a a@b.tgz @s/a@x.tgz //evil/a \\\\evil\\a C:\\a @evil a@ \u0430bc
  a\u200bb \${A} \${input:a} $(a) node bash zx cross-env tsx npm`.split(/\s+/);

const uvOptions =
  `--index-url --index --default-index --extra-index-url -i --find-links -f --config-file --env-file
  --with-editable --with-requirements --directory --project --constraints --overrides --build-constraints --cache-dir
  --python-preference --allow-insecure-host --with-executables-from`.split(/\s+/);

const containerOptions =
  `--entrypoint --volumes-from --device --cap-add --security-opt --pid --ipc --uts --userns
  --network --net --env-file --cgroup-parent --runtime --mount -v --volume --add-host --dns --label-file --gpus
  --device-cgroup-rule --cidfile --group-add --isolation --storage-opt --sysctl --volume-driver --workdir`.split(
    /\s+/,
  );
const mounts =
  `/:/x //:/x /./:/x /../:/x /etc:/x /etc/../:/x /var/run/docker.sock:/x /home/me:/x /home/me/.ssh:/x
  ~:/x ~/x:/x C:\\:/x \${userHome}:/x \${HOME}:/x /home:/x ./x/..:/x /a/b:/x:exec,rw`.split(/\s+/);
const lists =
  `type=bind,src=/,dst=/x type=bind,source=/,dst=/x src=/,dst=/x SRC=/,dst=/x type=bind,src=/a/b,src=/,dst=/x
  type=volume,dst=/x,volume-opt=type=none,volume-opt=o=bind,volume-opt=device=/ type=image,src=evil,dst=/x
  "src=/",dst=/x type=bind,src=/run/docker.sock,dst=/x`.split(/\s+/);

const nodeOptions =
  `-e --eval -p --print -r --require --import --loader --experimental-loader -C --conditions --env-file
  --env-file-if-exists --inspect --inspect-brk --openssl-config --icu-data-dir --snapshot-blob --build-snapshot
  --experimental-config-file --run --watch-path --input-type --experimental-policy --diagnostic-dir -pe`.split(
    /\s+/,
  );

const denoOptions =
  `--import-map --config -c --preload --import --require --lock --env-file --env --cert --location
  --v8-flags --inspect --inspect-brk --allow-import -I --reload --unstable --ext --seed`.split(
    /\s+/,
  );

const pythonOptions = '-c -m -X -W --check-hash-based-pycs -x -i -'.split(' ');
const modules =
  `pip pdb timeit code runpy trace cProfile ensurepip venv zipapp unittest idlelib ptpython IPython
  pip._internal ./a https://a mcp;a`.split(/\s+/);

const shellLines = [
  '-c',
  '-lc',
  '-ic',
  '-ec',
  '-xc',
  '--command',
  '-s',
  '--rcfile',
  '--init-file',
  '-o',
];

/** Words of a program and its arguments, none of which is plain. */
export const families: Readonly<Record<string, readonly Words[]>> = {
  npx: [
    ...spelled(['npx'], npmOptions, evil, ['a']),
    ...spelled(['npx', '-y'], npmOptions, evil, ['@s/a@1.0.0', 'b']),
    ...each(['npx', '-y'], places, ['x']),
    ...each(['npx', '-y', '-p'], places, ['x']),
    ...each(
      ['npx', '-y', '-p', 'a'],
      ['sh', 'bash', 'node', 'env', 'curl', 'make', 'x.sh', '/bin/sh'],
    ),
    ...each(['npx', '-y', 'node'], ['-e', '--eval=x', '-', '-r']),
    ...each(
      ['npm'],
      ['run', 'start', 'test', 'install', 'i', 'ci', 'run-script', 'explore', 'init'],
    ),
    ...each(['npm', 'exec', 'a'], ['--call=x', '-c', '--registry=x', '--script-shell=x']),
    ...each(['pnpm'], ['exec', 'run', 'start', '-c', '--dir', 'install', 'create']),
    ...each(['yarn'], ['run', 'start', 'node', 'exec', 'a', 'create']),
    ['npx'],
    ['npx', '-y'],
  ],
  uvx: [
    ...spelled(
      ['uvx'],
      uvOptions.filter((one) => !/^--(directory|project)$/.test(one)),
      evil,
      ['a'],
    ),
    ...spelled(['uv', 'run'], uvOptions.slice(0, 10), evil, ['server.py']),
    ...each(
      ['uvx'],
      [
        ...places.filter((one) => !['npm', 'cross-env', 'zx'].includes(one)),
        'python',
        'a.py',
        'a.whl',
      ],
    ),
    ...each(
      ['uvx', '--from'],
      places.filter((one) => !/^(node|bash|zx|cross-env|tsx|npm)$/.test(one)),
      ['a'],
    ),
    ...each(['uvx', '--from', 'a'], ['sh', 'python', 'bash', 'env', '/bin/sh', 'curl']),
    ...each(
      ['uvx', '--with'],
      ['git+https://evil.example/a', './a', 'a@https://evil.example'],
      ['a'],
    ),
    ...each(['uvx', '--python'], ['/tmp/python', './python', 'evil'], ['a']),
    ...each(
      ['uv', 'run'],
      ['sh', 'bash', 'https://evil.example/a.py', '-', 'python', '-s', 'main', '--script'],
    ),
    ...each(['uv'], ['pip', 'sync', 'build', 'python', 'init']),
    ...each(['pipx'], ['install', 'runpip', 'inject', '--global']),
    ...each(
      ['pipx', 'run'],
      ['https://evil.example/a.py', './a', '--pip-args=x', '--python=/tmp/x', '--no-path-check'],
    ),
  ],
  docker: [
    ...spelled(['docker', 'run', '-i'], containerOptions, '/etc', ['a/b']),
    ...mounts.flatMap((one) => [
      ['docker', 'run', '-v', one, 'a/b'],
      ['docker', 'run', `--volume=${one}`, 'a/b'],
      ['docker', 'run', `-v${one}`, 'a/b'],
    ]),
    ...each(['docker', 'run', '--mount'], lists, ['a/b']),
    ...each(
      ['docker'],
      ['exec', 'compose', 'build', '-H', '--context', '--config', 'cp', 'start', 'plugin'],
    ),
    ...each(
      ['docker', 'run'],
      ['--privileged', '--privileged=true', '-d', '-P', '--network=host', '-iv/:/x'],
      ['a/b'],
    ),
    ...each(['docker', 'run', '-i', 'alpine'], ['sh', 'bash', '/bin/sh', 'curl', 'a b', '$(a)']),
    ...each(['docker', 'run', '-i', 'node:20'], ['-e', '--eval=x', '-']),
    ...each(
      ['podman', 'run'],
      ['--privileged', '--entrypoint=sh', '--rootfs', '--systemd=always'],
      ['a/b'],
    ),
    ['docker', 'run', 'library/node', '-e', 'a(b)'],
    ['docker', 'run', 'docker.io/library/bash:5', '-c', 'a'],
    ['docker', 'run', '-e', 'LD_PRELOAD=/x', 'a/b'],
    ['docker', 'run', '--env=NODE_OPTIONS=x', 'a/b'],
    ['docker', 'run'],
  ],
  node: [
    ...spelled(['node'], nodeOptions, evil, ['a.js']),
    ...each(
      ['node'],
      [
        '-',
        '',
        'inspect',
        'data:text/javascript,a',
        'https://evil.example/a.js',
        '/dev/stdin',
        '/proc/self/fd/0',
        '/dev/./fd/0',
        '//evil/a.js',
        '\\\\evil\\a.js',
        'node:test',
        '${A}',
        '$(a).js',
      ],
    ),
    ...each(['node', '/usr/lib/node_modules/npm/bin/npx-cli.js'], ['-c', './a', 'github:a/b']),
    ...each(['/usr/bin/node'], ['-e', '--require=./a']),
    ...each(['tsx'], ['-e', '--eval=x', '--import=x', '-', '--require']),
    ['nodejs', '-e', 'a'],
    ['node20', '-e', 'a'],
    ['NODE.EXE', '-e', 'a'],
    ['node'],
  ],
  deno: [
    ...spelled(['deno', 'run', '-A'], denoOptions, evil, ['npm:a']),
    ...each(
      ['deno'],
      ['eval', 'repl', 'task', 'install', 'serve', '-', 'test', 'bench', 'compile', 'x'],
    ),
    ...each(
      ['deno', 'run', '-A'],
      [
        'https://evil.example/a.ts',
        'http://a',
        '-',
        'data:application/typescript,a',
        './a;b',
        'npm:evil/../a',
        'jsr:a b',
        'blob:a',
        'npm:node',
        'npm:zx',
      ],
    ),
    ...each(
      ['bun'],
      [
        '-e',
        '--eval',
        '-p',
        '--preload',
        '-r',
        'install',
        'start',
        'run',
        'exec',
        '--env-file=a',
        'create',
        'x',
      ],
    ),
    ...each(['bunx'], ['--package=./a', '-c', './a', 'github:a/b', '--config=a']),
    ...each(['bun', 'run'], ['start', 'build', '--preload=a', '-', '--shell=system']),
  ],
  python: [
    ...spelled(['python'], pythonOptions.slice(0, 7), evil, ['a.py']),
    ...spelled(['python3'], pythonOptions.slice(0, 4), 'x=y', ['a.py']),
    ...each(['python', '-m'], modules),
    ...each(
      ['python'],
      [
        '-',
        '',
        '-cprint',
        'https://evil.example/a.py',
        '/dev/stdin',
        '/proc/self/fd/0',
        '//evil/a.py',
        'a',
        '${A}',
      ],
    ),
    ...each(['py'], ['-c', '-3', '-m']),
    ...each(['pypy3'], ['-c', '-m']),
    ['python3.12', '-c', 'a'],
    ['python', '-m', 'mcp_server_git', 'a b'],
    ['python', '-m', 'mcp_server_git', '$(a)'],
    ['PYTHON.EXE', '-c', 'a'],
    ['python'],
  ],
  shells: [
    ...['sh', 'bash', 'zsh', 'dash', 'ksh', 'fish', '/bin/sh', '/usr/bin/bash'].flatMap((shell) =>
      shellLines.map((flag) => [shell, flag, 'a']),
    ),
    ...each(['bash'], ['-', 'a', '/dev/stdin', '/dev/fd/3', 'https://evil.example/a.sh']),
    ...each(['cmd'], ['/k', '/c', '/C', '/s', '/q', '-c', '/ca'], ['a']),
    ...each(['cmd', '/c'], ['npx&a', 'powershell', 'echo', 'start'], ['b']),
    ['cmd', '/c', 'npx', '-y', 'a-mcp', '&', 'b'],
    ['cmd', '/c', 'npx', '-y', 'a-mcp', '%A%'],
    ['cmd', '/c', 'npx', '-y', './a'],
    ...each(
      ['powershell'],
      ['-c', '-Command', '-EncodedCommand', '-e', '-enc', '-File', '-', '-ec'],
      ['a'],
    ),
    ...each(['pwsh.exe'], ['-c', '-Command', '-EncodedCommand', '-NoProfile'], ['a']),
  ],
  interpreters: [
    ...each(
      ['perl'],
      ['-e', '-E', '-Mmodule', '-I.', '-x', '-n', '-p', '-i', '-', '-d', '-s'],
      ['a.pl'],
    ),
    ...each(
      ['ruby'],
      ['-e', '-r', '-rsocket', '-I.', '-x', '-n', '-C/', '-', '-S', '-W:a'],
      ['a.rb'],
    ),
    ...each(
      ['php'],
      ['-r', '-B', '-R', '-E', '-d', '-c', '-z', '-S', '-a', '-', '--run'],
      ['a.php'],
    ),
    ...each(
      ['java'],
      [
        '-cp',
        '-classpath',
        '-javaagent:a',
        '-agentlib:a',
        '-agentpath:a',
        '-Xbootclasspath/a:a',
        '-Da=b',
        '@a',
        'A.java',
        '--module-path',
        '-XX:OnError=a',
      ],
      ['-jar', 'a.jar'],
    ),
    ...each(
      ['dotnet'],
      ['exec', 'fsi', 'tool', 'msbuild', 'script', 'build', '--fx-version', 'nuget'],
      ['a.dll'],
    ),
    ...each(['go'], ['run', 'generate', 'test', 'install', 'tool', '-C'], ['.']),
    ...each(['go', 'run'], ['-exec=a', '-toolexec=a', './a', '-overlay=a'], ['example.com/a@v1']),
  ],
  wrappers: [
    ...`env sudo doas nice nohup timeout xargs find watch script make cargo nix gdb vim awk osascript wscript mshta
        rundll32 busybox expect setsid stdbuf strace parallel ssh git curl`
      .trim()
      .split(/\s+/)
      .flatMap((program) => [
        [program, 'node', 'a.js'],
        [`/usr/bin/${program}`, 'a'],
        [`./node_modules/.bin/${program}`, 'a'],
      ]),
    ['mcp-proxy', '--', 'sh', '-c', 'a'],
    ['mcp-proxy', 'node', 'a.js'],
    ['x', 'a'],
    ['../x-mcp/../../bin/x', 'a'],
    ['./../../bin/x', 'a'],
    ['${A}', 'a'],
    ['npx -y a-mcp'],
    ['//evil/npx', '-y', 'a'],
    ['\\\\evil\\share\\npx.exe', '-y', 'a'],
  ],
};
