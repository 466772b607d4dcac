/** Single words of a launch that are plain: a path, a variable, a mount, an address, an argument of a server. */
import { parseAddress } from './addressReach.js';
import { literalSkeleton } from './variables.js';

/** Of a file or folder of this machine, as far as its text says. */
export function isPlainFile(text: string): boolean {
  const isElsewhere = /^[a-z][a-z\d+.-]+:/i.test(text) || /^(?:[\\/]{2}|-)/.test(text);
  // what runs is then what somebody writes into it
  const isStream = /^[\\/](?:dev|proc|sys)(?:[\\/]|$)/i.test(
    text.replace(/[\\/]+\.(?=[\\/])/g, ''),
  );
  return (
    !isElsewhere &&
    !isStream &&
    /^(?:\$\{(?:workspaceFolder|userHome)\}|~)?[\p{L}\p{N}_@ .,+()\\/:~-]+$/u.test(text)
  );
}

/** `NAME` or `NAME=value`, for a container. */
export function isPlainVariable(text: string): boolean {
  const name = text.split('=', 1)[0] ?? '';
  return /^[A-Za-z_]\w*$/.test(name) && !isLoaderVariable(name);
}

/** Those of these families that only change how a program speaks. */
const harmlessVariables =
  /^(?:NODE_(?:ENV|NO_WARNINGS)|RUST_(?:LOG|BACKTRACE)|PYTHON(?:UNBUFFERED|UTF8|IOENCODING|DONTWRITEBYTECODE)|DOTNET_(?:ENVIRONMENT|NOLOGO|CLI_TELEMETRY_OPTOUT)|GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL)|BASH_SILENCE_DEPRECATION_WARNING)$/;
const loaderFamilies =
  /^(?:NODE|NPM_CONFIG|YARN|PNPM|COREPACK|BUN|DENO|PYTHON|PIP|UV|VIRTUAL|CONDA|POETRY|PIPX|LD|DYLD|GCONV|PERL5?|RUBY|GEM|BUNDLE|JAVA|JDK|_JAVA|MAVEN|GRADLE|DOTNET|COR|CORECLR|COMPLUS|NUGET|DOCKER|CONTAINERS?|PODMAN|GIT|BASH|RUST|CARGO|GO|PHP|LUA|XDG|MSBUILD)(?:_|$)/i;
const loaderNames =
  /^(?:PYTHON\w*|RUBY\w+|PERL5?\w*|LUA_\w+|PHPRC|GOFLAGS|GOPROXY|GONOSUMDB|GONOSUMCHECK|GOPRIVATE|GOINSECURE|GOPATH|GOROOT|GOTOOLCHAIN|CLASSPATH|ENV|IFS|PATH|PATHEXT|COMSPEC|SHELL|SHELLOPTS|ZDOTDIR|PROMPT_COMMAND|PS4|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEMROOT|WINDIR|TMPDIR|TEMP|TMP|EDITOR|VISUAL|PAGER|BROWSER|SSH_ASKPASS|SUDO_ASKPASS|OPENSSL_CONF|OPENSSL_MODULES|SSL_CERT_(?:FILE|DIR)|GLIBC_TUNABLES|JDK_JAVA_OPTIONS)$/i;

/** A variable that a runner or interpreter obeys, so that it can load other code. */
export function isLoaderVariable(name: string): boolean {
  return !harmlessVariables.test(name) && (loaderFamilies.test(name) || loaderNames.test(name));
}

const mountPart =
  /^(?:type=(?:bind|volume|tmpfs)|(?:src|source|dst|destination|target)=[^=]*|(?:readonly|ro)(?:=true)?)$/i;
const volume = /^((?:[A-Za-z]:)?[^:,]+):[^:,]+(?::(?:ro|rw|z|Z))?$/;

/** What of this machine a container gets to see by the value of `-v` or `--mount`, volumes of its own included. */
export function mountSources(text: string): readonly string[] {
  if (/^[a-z-]+=|,[a-z-]+=/i.test(text)) {
    return [...text.matchAll(/(?:^|,)(?:src|source)=([^,]*)/gi)].map(([, source = '']) => source);
  }
  const source = volume.exec(text)?.[1] ?? text.split(':', 1)[0];
  return source === undefined || source === '' ? [] : [source];
}

/** Not the name of a volume of its own. */
export function isOfMachine(source: string): boolean {
  return /[\\/~.$]/.test(source);
}

const systemFolders =
  /^(?:bin|boot|dev|etc|lib\w*|proc|root|run|sbin|sys|usr|var|windows|programdata|private|system|library)$/i;

/** A volume of the container's own, or a folder below that of a user, without what only programs see. */
export function isNarrowMount(text: string): boolean {
  const isKnown = /^[a-z]+=/i.test(text)
    ? text.split(',').every((part) => mountPart.test(part))
    : volume.test(text);
  return (
    isKnown &&
    /^[\p{L}\p{N}_=,.\\/:~${} -]+$/u.test(text) &&
    mountSources(text).filter(isOfMachine).every(isNarrowFolder)
  );
}

function isNarrowFolder(source: string): boolean {
  const segments = segmentsOf(source);
  const [first = '', ...rest] = segments;
  if (first === '${workspaceFolder}') {
    return !rest.some((one) => one.startsWith('.'));
  }
  const isAbsolute = /^[\\/]|^[A-Za-z]:[\\/]/.test(source);
  const isOfUser = /^(?:home|users)$/i.test(first);
  return (
    isAbsolute &&
    !systemFolders.test(first) &&
    !segments.some((one) => /^[.~$]/.test(one)) &&
    rest.length > (isOfUser ? 1 : 0)
  );
}

/** The whole disk, however it is spelled. */
export function isWholeDisk(source: string): boolean {
  return /^[\\/]|^[A-Za-z]:/.test(source) && segmentsOf(source).every((one) => one === '..');
}

function segmentsOf(path: string): readonly string[] {
  return path
    .replace(/^[A-Za-z]:/, '')
    .split(/[\\/]+/)
    .filter((one) => one !== '' && one !== '.');
}

/** An argument that a server gets: a name, number, path, address or header, but no line of code. */
export function isPlainArgument(text: string): boolean {
  return (
    /^[\p{L}\p{N}_@.,:/\\=+~%${}\-*#?•!^[\]]*$/u.test(text) ||
    /^https?:\/\/[\w.,:/=+~%${}\-*#?&@!]+$/.test(text) ||
    /^[A-Za-z][\w-]*: ?(?:[A-Za-z]+ )?[\w.=+/${}\-*:•]+$/.test(text)
  );
}

/**
 * Where an address leads when its text seems to name another host: a user name that looks like one, a spelling that
 * is read as another. `undefined`: it leads where it says, as far as it depends on no variable.
 */
export function hiddenHost(text: string): string | undefined {
  const url = parseAddress(text);
  if (!url) {
    return undefined;
  }
  const { host, protocol } = url;
  const written = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(text)?.[1]?.toLowerCase() ?? '';
  const usual = protocol === 'https:' ? ':443' : ':80';
  return written === host || written === `${host}${usual}` ? undefined : host;
}

/** A user name, with or without a password, stands in it; also when that depends on a variable. */
export function holdsCredentials(text: string): boolean {
  const { text: filled } = literalSkeleton(text, 'x');
  const authority = /^[a-z][a-z\d+.-]*:[\\/]*([^\\/?#]*)/i.exec(
    filled.replace(/[\t\r\n]/g, ''),
  )?.[1];
  const url = parseAddress(filled);
  return authority?.includes('@') === true || Boolean(url?.username || url?.password);
}
