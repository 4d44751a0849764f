#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# `profil push`: what arrives at a server, and the messages when it does not
# shellcheck disable=SC1003 # a value ends in \
set -u

here=$(cd "${0%/*}" && pwd)
. "$here/tap.sh"
. "$here/server.sh"
# A command that ends in errx() frees no memory.
export ASAN_OPTIONS=detect_leaks=0

# says STATUS PATTERN ARGUMENT...: profil push exits with STATUS, and prints one
# line, which has PATTERN.
says()
{
	local status=0

	"$here/profil" push "${@:3}" >said 2>&1 || status=$?
	[[ $status == "$1" && $(wc -l <said) == 1 ]] && grep -q -e "$2" said &&
		return
	echo "# status $status"
	fail_with said
}

# has_labels LINE...: those of the last profile, in the order of their names
has_labels()
{
	printf '%s\n' "$@" >labels
	are_equal labels got/1.labels
}

# is_exported [OPTION]...: the profile that has arrived is the one that is exported.
is_exported()
{
	"$here/profil" export -o - "$@" | gzip -dc | cmp - got/1.pprof
}

has_work()
{
	"$here/decode_pprof" <got/1.pprof |
		grep -q '^sample 92 368000000 work:0 .*+0x1010'
}

# requests NUMBER: the server got so many.
requests()
{
	[[ $(wc -l <got/requests) == "$1" ]]
}

recording /opt/prog guest
start_server
pyroscope=http://127.0.0.1:$port/ingest
parca=http://127.0.0.1:$port/api/profiles/writeraw
collector=http://127.0.0.1:$port/v1development/profiles

check "a profile is pushed to Pyroscope" says 0 \
	"1 profile pushed to $pyroscope\$" "$pyroscope"
also "with labels and times" has_labels build_id=0102030405060708 \
	from=1700000000 host=guest name=prog spyName=profil until=1700000006
also "is the one that is exported" is_exported
also "has its samples" has_work

forget
check "a profile is pushed to Parca" says 0 "1 profile pushed" "$parca" \
	profil.data
also "with labels" has_labels __name__=process_cpu \
	build_id=0102030405060708 host=guest service=prog
also "is the one that is exported" is_exported
also "has its samples" has_work

# has_stacks: the profile that has arrived has samples with their callers.
has_stacks()
{
	"$here/decode_pprof" stacks <got/1.pprof | grep -q '^_start;main;qsort 10$'
}

for url in "$pyroscope" "$parca"; do
	forget
	check "a profile of callers is pushed" says 0 "1 profile" "$url" \
		"$here/callers.data"
	also "is the one that is exported" is_exported -i "$here/callers.data"
	also "has its stacks" has_stacks
done

# has_attributes LINE...: those of the profile that a collector got
has_attributes()
{
	printf 'resource %s\n' "$@" >labels
	"$here/decode_otlp" <got/1.pprof | grep '^resource' >attributes
	are_equal labels attributes
}

# is_exported_to_collector [OPTION]...: it is the one that is exported, but for those.
is_exported_to_collector()
{
	"$here/profil" export -f otlp -o - "$@" | "$here/decode_otlp" |
		grep -v '^resource' >wanted
	"$here/decode_otlp" <got/1.pprof | grep -v '^resource' >shown
	are_equal wanted shown
}

forget
check "a profile is pushed to a collector of OpenTelemetry" says 0 "1 profile" \
	-l version=1.2 "$collector"
also "with attributes" has_attributes service.name=prog host.name=guest \
	build_id=0102030405060708 version=1.2 \
	'process.command_line=/opt/prog two words'
also "is the one that is exported" is_exported_to_collector
forget
check "a profile of callers is pushed there" says 0 "1 profile" "$collector" \
	"$here/callers.data"
also "with its stacks" is_exported_to_collector -i "$here/callers.data"
forget
answers partial
check "a profile that a collector rejects is reported" says 125 \
	"does not take it (rejected with status 200)" "$collector"

forget
check "labels can be given" says 0 "2 profiles" -l version=1.2~rc=3 \
	-l service=shop/web -l 'host=%41 "ü"' --label host='b&c "ü"\' \
	"$pyroscope" profil.data profil.data
also "to Pyroscope" has_labels build_id=0102030405060708 from=1700000000 \
	'host=b&c "ü"\' name=shop/web spyName=profil until=1700000006 \
	version=1.2~rc=3
forget
check "labels can be given to Parca" says 0 "1 profile" \
	-l 'host=b&c "ü"\' "$parca"
also "as well" has_labels __name__=process_cpu build_id=0102030405060708 \
	'host=b&c "ü"\' service=prog

forget
check "a profile of the machine is pushed" says 0 "1 profile" "$parca" \
	"$here/guest.data"
also "without the labels of a command" has_labels __name__=process_cpu \
	host=guest service=machine
forget
check "and with the functions of the kernel" says 0 "1 profile" -k "$parca" \
	"$here/guest.data"
also "by their names" is_exported -k -i "$here/guest.data"
check "which a profile of a command has not" says 125 "no functions of the kernel" \
	-k "$parca"

forget
check "a profile of a cgroup is pushed" says 0 "1 profile" "$parca" \
	"$here/cgroup.data"
also "by its name" has_labels __name__=process_cpu host=box \
	service=/system.slice

forget
recording '/opt/a b{c}' 'x,y'
check "names with characters of another meaning are pushed" says 0 "1 profile" \
	"$pyroscope"
also "with others" has_labels build_id=0102030405060708 from=1700000000 \
	host=x_y name=a_b_c_ spyName=profil until=1700000006
recording /opt/prog guest

forget
while read -r first second; do
	forget
	answers "$first" "$second"
	check "a server that is busy is tried again: $first, $second" says 0 \
		"1 profile" "$pyroscope"
	also "two times" requests 3
done <<-'END'
	503 429
	408 425
END
forget
answers 500 500 500 500 500
check "for a limited time" says 125 \
	'^profil: profil.data is not pushed: .*/ingest does not take it (status 500)' \
	--retry 6900ms "$pyroscope"
also "with pauses" requests 3

# A status that no further try changes
while IFS='|' read -r answer pattern; do
	forget
	answers "$answer"
	check "the answer $answer is reported" says 125 \
		"is not pushed: .* does not take it ($pattern)" "$pyroscope"
	also "at once" requests 1
done <<-'END'
	400 not a \x07 profile|status 400: not a .* profile
	401|status 401
	404 page not found|status 404: page not found
	413|status 413
	415|status 415
	422|status 422
	302 elsewhere|status 302: the server names another URL
END

for answer in garbage nothing; do
	forget
	answers $answer $answer $answer
	check "the answer $answer is reported" says 125 \
		'does not take it ([A-Z].* ' --retry 500ms "$pyroscope"
done

# Credentials. The token is not an argument of the command: ps(1) shows those.

# has_header LINE: the last profile came with it.
has_header()
{
	grep -qx -e "$1" got/1.headers
}

forget
printf 'Authorization: Bearer s3cret\r\n\nX-Scope-OrgID: shop\n' >token
echo 'Bearer s3cret' >got/authorization
check "a server wants a token" says 125 "status 401: who are you" "$pyroscope"
check "it is taken from a file" says 0 "1 profile pushed" --header @token \
	"$pyroscope"
also "and further lines are" has_header 'X-Scope-OrgID: shop'
also "the profile has its own type" has_header \
	'Content-Type: application/octet-stream'
forget
echo 'Bearer s3cret' >got/authorization
check "a line of the header is taken from the command line" says 0 "1 profile" \
	--header='Authorization: Bearer s3cret' --header 'X-a.b: "x", c' "$parca"
also "and another one" has_header 'X-a.b: "x", c'
forget
# The user 12345 with the password s3cret, by RFC 7617
echo 'Basic MTIzNDU6czNjcmV0' >got/authorization
echo 'machine 127.0.0.1 login 12345 password s3cret' >netrc
check "a server wants a password" says 125 "status 401" "$pyroscope"
check "it is taken from a file" says 0 "1 profile" --netrc netrc "$pyroscope"
cp netrc .netrc
check "it is taken from ~/.netrc" says 0 "1 profile" "$pyroscope"
rm .netrc
check "it is taken from the URL" says 0 \
	"1 profile pushed to http://127.0.0.1:$port/ingest\$" \
	"http://12345:s3cret@127.0.0.1:$port/ingest"
echo 'machine 127.0.0.2 login 12345 password s3cret' >netrc
check "it is not for another machine" says 125 "status 401" --netrc netrc \
	"$pyroscope"
forget
check "a password is not printed" says 125 "http://127.0.0.1:1/ingest does not" \
	--retry 500ms http://me:secret@127.0.0.1:1/ingest
check "nor one with a slash" says 125 \
	'^profil: give the URL of a server that takes profiles, as in [^@]*$' \
	http://me:sec/ret@127.0.0.1:1/ingest
stop_server
check "a server that is away is reported" says 125 "$port/ingest does not take" \
	--retry 500ms "$pyroscope"

here+=/alone check "a command without profil-push is reported" says 125 \
	"cannot execute profil-push .* apt install libcurl4-gnutls-dev" "$pyroscope"

# without_proc: a program of that name in the working directory is not executed. The
# exit status may be that of a sanitizer, which finds its options in proc(5).
without_proc()
{
	mkdir here
	printf '#!/bin/sh\ntouch executed\n' >here/profil-push
	chmod +x here/profil-push
	"${in_mounts[@]}" sh -c 'mount -t tmpfs none /proc && cd here &&
		exec "$@"' sh "$here/profil" push "$pyroscope" >said 2>&1
	[[ ! -e here/executed ]] && grep -q 'cannot execute profil-push' said
}

# In a chroot(2) root has no user namespaces, and in a container perhaps no mounts.
in_mounts=(unshare -m)
((!EUID)) || in_mounts+=(-r)
name="without proc(5) no other profil-push is executed"
if "${in_mounts[@]}" true 2>/dev/null; then
	check "$name" without_proc
else
	check "$name # SKIP without mount namespaces" true
fi

finish
