#!/usr/bin/env bash
# $1: "check" (tests on the GPU), "time" (old against new on the nine GPU graphs, prepared solves, CPU question)
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=/tmp/pack2; mkdir -p $work; cd $work
[[ -x $work/copse ]] || python3 -c "import tarfile; tarfile.open('$here/pack.tar.xz').extractall('$work')"
export LD_LIBRARY_PATH=$work/lib:${LD_LIBRARY_PATH:-} CUDA_MODULE_LOADING=EAGER
out=$OUT
case $1 in
check)
  timeout 100 ./gpu_test --gtest_brief=1 --gtest_filter='gpu_stream.*:gpu_incremental.*:gpu_solver.*' > stream.log 2>&1; echo "stream, incremental, solver: $?"; tail -3 stream.log; grep -aE 'Failure|what\(\)' -A4 stream.log | head -40
  OUT=$work LIMIT_SECONDS=100 timeout 420 bash ./on_device.sh tests cli 2>&1 | tail -40
  cp *.log $out/ 2>/dev/null; ls $out | head ;;
time)
  OUT=$work LIMIT_SECONDS=170 FINISHES="rem_cas rem_lock" timeout 175 bash ./on_device.sh tests > rem.log 2>&1 & rem=$!
  for f in rem_cas rem_lock; do :; done
  wait $rem; grep -aE "passed|FAILED" rem.log | head -8
  nine=(rmat:scale=22,edges=8,a=.45,b=.15,c=.15 rmat:scale=21,edges=48,a=.57,b=.19,c=.19 er:n=8388608,m=33554432 mesh:side=4096 osm:side=3600,keep=.6 web:n=18520486,degree=32 binomial:n=16777216 rmat:scale=25,edges=28,a=.57,b=.19,c=.19 ba:n=16777216,k=10)
  i=0
  for g in "${nine[@]}"; do
    i=$((i+1))
    for w in old new old new; do timeout 60 ./copse.$w bench "$g" --variants cuda.auto --trials 11 --progress never --json $work/gpu_${w}_${i}_$RANDOM.json > /dev/null 2> err.txt || { echo "$w $g: $?"; head -2 err.txt; }; done
  done
  for w in old new old new; do timeout 60 ./small.$w 61 er:n=65536,m=524288 > $work/small_${w}_$RANDOM.json 2>/dev/null || echo "small $w $?"; done
  python3 - $work <<'P'
import json,glob,sys,statistics as s,math,re
w=sys.argv[1]; r={}
for f in sorted(glob.glob(w+'/gpu_*.json')):
    which,i=re.search(r'gpu_(old|new)_(\d+)_',f).groups()
    d=json.load(open(f))
    for g in d['graphs']:
        for x in g['rows']: r.setdefault((int(i),which),[]).extend(x['seconds']['samples'])
logs=[]
for i in range(1,10):
    o,n=[s.median(r[(i,k)])*1e3 if (i,k) in r else float('nan') for k in('old','new')]
    print(i,'old %.4f new %.4f ratio %.3f'%(o,n,n/o)); logs.append(math.log(n/o))
print('geomean %.3f'%math.exp(sum(logs)/len(logs)))
for f in sorted(glob.glob(w+'/small_*.json')):
    print(f.split('/')[-1][:9], json.dumps(json.load(open(f)))[:0], [ (m.get('name') or m.get('variant') or m.get('row'), {k:(v.get('median') if isinstance(v,dict) else v) for k,v in m.items() if 'econds' in k or k in('whole','prepared')}) for m in (json.load(open(f)).get('graphs') or [{}])[0].get('rows',[])][:4])
P
  # CPU: rem_cas on web and ba
  for g in web:n=4000000,degree=32 ba:n=2000000,k=10; do
    ./copse.new generate $g -o c.sg >/dev/null 2>&1
    for t in 2 4 8 16; do for w in old new; do timeout 40 ./copse.$w bench c.sg --variants omp.none.rem_cas.naive.halve_one --threads $t --trials 5 --progress never --json c.json >/dev/null 2>&1; python3 -c "
import json,statistics as s;d=json.load(open('c.json'));x=d['graphs'][0]['rows'][0];print('$g'[:4],$t,'$w','%.1f'%(1e3*s.median(x['seconds']['samples'])),[round(1e3*v,1) for v in x['seconds']['samples']])"; done; done
    for sp in 1000000 20; do COPSE_SPIN=$sp COPSE_WAKES=1000 timeout 40 ./copse.tune bench c.sg --variants omp.none.rem_cas.naive.halve_one --threads 16 --trials 5 --progress never --json c.json >/dev/null 2>&1; python3 -c "
import json,statistics as s;d=json.load(open('c.json'));x=d['graphs'][0]['rows'][0];print('$g'[:4],16,'tune spin $sp','%.1f'%(1e3*s.median(x['seconds']['samples'])))"; done
    OMP_WAIT_POLICY=passive timeout 40 ./copse.old bench c.sg --variants omp.none.rem_cas.naive.halve_one --threads 16 --trials 5 --progress never --json c.json >/dev/null 2>&1; python3 -c "
import json,statistics as s;d=json.load(open('c.json'));x=d['graphs'][0]['rows'][0];print('$g'[:4],16,'old passive','%.1f'%(1e3*s.median(x['seconds']['samples'])))"
  done
  # CPU nine graphs, edge lists and forests
  ng=(rmat:scale=22,edges=16,a=.57,b=.19,c=.19,shuffle=1 er:n=4000000,m=16000000 ba:n=2000000,k=10 web:n=4000000,degree=32 grid2d:side=2048 osm:side=2048,keep=.6 clusters:n=8000000,size=16 path:n=8000000,shuffle=1 star:n=8000000)
  for round in 1 2; do for w in old new; do
    timeout 100 ./copse.$w bench "${ng[@]}" --variants auto --threads 16 --trials 7 --progress never --json cpu_csr_${w}_$round.json >/dev/null 2>&1 || echo csr $w $?
    timeout 60 ./copse.$w bench "${ng[@]:0:3}" --input coo --variants auto --threads 16 --trials 3 --progress never --json cpu_coo_${w}_$round.json >/dev/null 2>&1 || echo coo $w $?
  done; done
  python3 - $work <<'P'
import json,glob,statistics as s,math
for kind in('csr','coo'):
    r={}
    for f in glob.glob(f'cpu_{kind}_*.json'):
        w=f.split('_')[2]
        for g in json.load(open(f))['graphs']: r.setdefault((g['graph'],w),[]).extend(g['rows'][0]['seconds']['samples'])
    q=[]
    for g in sorted({k[0] for k in r}):
        o,n=[1e3*s.median(r[(g,w)]) for w in('old','new')]; q.append(math.log(n/o)); print(kind,g,'%.2f %.2f %.3f'%(o,n,n/o))
    print(kind,'geomean %.3f'%math.exp(sum(q)/len(q)))
P
  tar czf $out/samples.tar.gz *.json ;;
esac
