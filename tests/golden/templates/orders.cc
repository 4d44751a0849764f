// SPDX-License-Identifier: GPL-2.0-only
// The program whose names profil.data has, as g++ -O1 makes them

#include <algorithm>
#include <map>
#include <string>
#include <vector>
namespace shop {
namespace v2_1 {
namespace detail {
template <class Key, class Value> struct order_less {
  bool operator()(const std::pair<Key, Value> &a,
                  const std::pair<Key, Value> &b) const {
    return a.second < b.second;
  }
};
template <class Key, class Value, class Map = std::map<Key, std::vector<Value>>>
class order_index {
  Map m;

public:
  __attribute__((noinline)) void insert(const Key &k, Value v) {
    m[k].push_back(v);
  }
  __attribute__((noinline)) Value find_total(const Key &k) const {
    Value s{};
    auto i = m.find(k);
    if (i != m.end())
      for (auto v : i->second)
        s += v;
    return s;
  }
  template <class F> __attribute__((noinline)) void each(F f) {
    for (auto &e : m)
      f(e.first, e.second);
  }
};
template <class It>
__attribute__((noinline)) typename std::iterator_traits<It>::value_type
best(It a, It b) {
  return *std::max_element(a, b);
}
} // namespace detail
} // namespace v2_1
} // namespace shop
int main() {
  using namespace shop::v2_1::detail;
  order_index<std::string, double> i;
  order_index<std::string, long> j;
  std::vector<std::pair<std::string, double>> v;
  std::vector<long> l;
  for (int n = 0; n < 1000; n++) {
    i.insert(std::to_string(n % 77), n * .5);
    j.insert(std::to_string(n % 7), n);
  }
  i.each([&](const std::string &k, const std::vector<double> &x) {
    v.emplace_back(k, x.size());
  });
  j.each([&](const std::string &k, const std::vector<long> &x) {
    l.push_back(x.size());
  });
  std::sort(v.begin(), v.end(), order_less<std::string, double>());
  std::sort(l.begin(), l.end());
  return (int)(i.find_total("1") + j.find_total("2")) +
         best(l.begin(), l.end()) + (best(v.begin(), v.end()).second > 3);
}
